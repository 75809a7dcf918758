import type { Migration } from './migration.ts'

/**
 * The topics of people, as a JSON array of labels (F6). Devices repeat whether their user follows everything, and have a row for each label that
 * a subscribed user follows, so that the recipients of a topic are read in the order of devices, from indexes alone (G4). Notifications and deliveries
 * keep their topic when its label is gone (G12).
 */
export const topics: Migration = {
  name: '0007-topics',
  statements: ({ text, integer, keyedOptions }) => [
    `alter table person add column topics ${text} not null default '[]'`,
    "create index person_topics on person (email) where topics <> '[]'",
    `alter table device add column follows_all ${integer} not null default 1 check (follows_all in (0, 1))`,
    'create index device_follows_all on device (lang, id, kind) where subscribed = 1 and follows_all = 1',
    `create table follow (
    label_id ${text} not null,
    lang ${text} not null,
    device_id ${integer} not null references device (id) on delete cascade,
    primary key (label_id, lang, device_id)
  ) ${keyedOptions}`,
    'create index follow_device on follow (device_id)',
    `alter table notification add column label_id ${text}`,
    'create index notification_label on notification (label_id) where started = 0 and label_id is not null',
    `alter table delivery add column label_id ${text}`,
  ],
}
