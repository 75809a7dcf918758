import type { Migration } from './migration.ts'

/**
 * Position changes of one commit share a row, in an append-only table for each content type. Earlier changes are dropped; processes count
 * again.
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
