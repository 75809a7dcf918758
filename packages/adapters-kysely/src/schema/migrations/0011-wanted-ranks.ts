import type { Migration } from './migration.ts'

/** Changes of ranks are written down only as far as somebody wants them. Nobody who does so yet runs on this schema. */
export const wantedRanks: Migration = {
  name: '0011-wanted-ranks',
  statements: ({ integer }) => [`alter table shelf add column wanted ${integer} not null default 0`],
}
