import type { Migration } from './migration.ts'

/** Why posts are not taken, for their authors (L3). */
export const reasons: Migration = {
  name: '0015-reasons',
  statements: ({ text }) => [`alter table feed_item add column reason ${text}`],
}
