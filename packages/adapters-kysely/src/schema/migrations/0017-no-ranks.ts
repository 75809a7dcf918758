import type { Migration } from './migration.ts'

/** Pages far down a collection are found by counts in memory alone: nothing about ranks is stored any more. */
export const noRanks: Migration = {
  name: '0017-no-ranks',
  statements: () => ['drop table library_change', 'drop table feed_change', 'drop table shelf'],
}
