import type { Migration } from './migration.ts'

/**
 * What people preferred in which epoch, and what they have seen (F7). A person's preference holds since `epoch`; earlier ones are in
 * `former_preference`, as long as an inbox needs them. People from before are known since the present epoch, which the row of epochs keeps, so
 * that their rows stay as they are. The index of deliveries gives an inbox its order, and has the columns that decide who gets what.
 */
export const inbox: Migration = {
  name: '0010-inbox',
  statements: ({ text, integer, keyedOptions }) => [
    `alter table epoch add column inbox_epoch ${integer} not null default 0`,
    'update epoch set inbox_epoch = value',
    `alter table person add column epoch ${integer} not null default 0`,
    `create table former_preference (
    email ${text} not null references person (email) on delete cascade,
    until_epoch ${integer} not null,
    since_epoch ${integer} not null check (since_epoch < until_epoch),
    lang ${text} not null,
    topics ${text} not null,
    primary key (email, until_epoch)
  ) ${keyedOptions}`,
    'create index former_preference_until on former_preference (until_epoch)',
    `create table seen_mark (
    delivery_id ${integer} not null references delivery (id),
    email ${text} not null references person (email) on delete cascade,
    seen_at ${integer} not null,
    primary key (delivery_id, email)
  ) ${keyedOptions}`,
    'create index seen_mark_email on seen_mark (email)',
    `create index delivery_started on delivery (started_at, notification_id, epoch, lang, label_id)
    where notification_id is not null`,
  ],
}
