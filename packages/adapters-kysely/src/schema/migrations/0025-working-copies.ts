import type { Migration } from './migration.ts'

/** Stores what managers have typed and not saved yet (M7). */
export const workingCopies: Migration = {
  name: '0025-working-copies',
  statements: ({ text, integer, tableOptions }) => [
    `create table working_copy (
    email ${text} not null references manager (email),
    key ${text} not null,
    content_type ${text} not null check (content_type in ('library', 'feed')),
    base_etag ${text} not null,
    title ${text} not null,
    fields ${text} not null,
    updated_at ${integer} not null,
    primary key (email, key)
  ) ${tableOptions}`,
    'create index working_copy_updated_at on working_copy (updated_at)',
  ],
}
