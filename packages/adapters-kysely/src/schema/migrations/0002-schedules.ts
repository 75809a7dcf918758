import type { Migration } from './migration.ts'

/**
 * When items are published and archived by themselves (C15). An index has only the items with a moment, in the order of time: finding those
 * due reads nothing else.
 */
export const schedules: Migration = {
  name: '0002-schedules',
  statements: ({ integer }) =>
    ['library_item', 'feed_item'].flatMap((table) =>
      ['publish_at', 'archive_at'].flatMap((column) => [
        `alter table ${table} add column ${column} ${integer}`,
        `create index ${table}_${column} on ${table} (${column}, id) where ${column} is not null`,
      ]),
    ),
}
