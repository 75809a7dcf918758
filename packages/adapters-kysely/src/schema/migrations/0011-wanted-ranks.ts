import type { Migration } from './migration.ts'

/** Position changes are stored only up to the requested number. No process uses this schema yet. */
export const wantedRanks: Migration = {
  name: '0011-wanted-ranks',
  statements: ({ integer }) => [`alter table shelf add column wanted ${integer} not null default 0`],
}
