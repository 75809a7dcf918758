import type { Migration } from './migration.ts'

/** Records the authors of posts (L3), and finds by its address what is stored about a person (L1). */
export const personalData: Migration = {
  name: '0020-personal-data',
  statements: ({ text, integer, keyedOptions }) => [
    `create table feed_author (
    item_id ${text} not null primary key references feed_item (id),
    client_id ${text} not null,
    email ${text},
    posted_at ${integer} not null
  ) ${keyedOptions}`,
    'create index feed_author_email on feed_author (email, posted_at, item_id) where email is not null',
    'create index dead_device_email on dead_device (email)',
    'create index retry_email on retry (email)',
    'create index recipient_snapshot_email on recipient_snapshot (email)',
  ],
}
