import type { Migration } from './migration.ts'

/** The revisions of notifications (G13), and which two are one announcement (G14). A list of those of a publication reads its rows alone. */
export const announcements: Migration = {
  name: '0004-announcements',
  statements: ({ text, integer, keyedOptions }) => [
    `alter table notification add column revision ${integer} not null default 1 check (revision >= 1)`,
    'create index notification_resource on notification (resource_id, due, id) where resource_id is not null',
    `create table announcement (
    en_id ${text} not null primary key references notification (id) on delete cascade,
    fr_id ${text} not null unique references notification (id) on delete cascade
  ) ${keyedOptions}`,
  ],
}
