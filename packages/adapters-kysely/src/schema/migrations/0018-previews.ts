import type { Migration } from './migration.ts'

/** The tokens by which an app shows an item before readers see it (A11). They end with their session, which is no key: it may go first. */
export const previews: Migration = {
  name: '0018-previews',
  statements: ({ text, integer, keyedOptions }) => [
    `create table preview_token (
    digest ${text} not null primary key,
    session ${text} not null,
    content_type ${text} not null,
    item_id ${text} not null,
    text ${text} not null,
    expires_at ${integer} not null,
    life ${integer} not null
  ) ${keyedOptions}`,
    'create index preview_token_expires_at on preview_token (expires_at)',
  ],
}
