import type { Migration } from './migration.ts'

/** The private addresses at which feed readers of managers ask how many posts wait (M14). */
export const waitingFeeds: Migration = {
  name: '0012-waiting-feeds',
  statements: ({ text, integer, keyedOptions }) => [
    `create table waiting_feed (
    email ${text} not null primary key,
    digest ${text} not null unique,
    made_at ${integer} not null
  ) ${keyedOptions}`,
  ],
}
