import type { Migration } from './migration.ts'

/**
 * Changes of ranks that are written together share a row, and each shelf has a table of its own, which grows at its end alone. Those of
 * before are let go: whoever needs them counts anew.
 */
export const rankSteps: Migration = {
  name: '0010-rank-steps',
  statements: ({ integer, text, tableOptions }) => [
    'drop table shelf_change',
    ...['library', 'feed'].map(
      (shelf) => `create table ${shelf}_change (
        seq ${integer} not null primary key,
        mark ${integer} not null,
        changes ${text} not null
      ) ${tableOptions}`,
    ),
  ],
}
