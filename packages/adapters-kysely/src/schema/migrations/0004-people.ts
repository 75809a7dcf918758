import type { Migration } from './migration.ts'

/** Users, their devices, and the count by which devices tell what they were when a notification was taken up (F1, F4, G4). */
export const people: Migration = {
  name: '0004-people',
  statements: ({ text, integer, identity, tableOptions, keyedOptions }) => [
    `create table epoch (
      id ${integer} not null primary key check (id = 1),
      value ${integer} not null
    ) ${tableOptions}`,
    'insert into epoch (id, value) values (1, 1)',
    `create table person (
      email ${text} not null primary key,
      lang ${text} not null check (lang in ('en', 'fr')),
      subscribed ${integer} not null check (subscribed in (0, 1))
    ) ${keyedOptions}`,
    `create table device (
      id ${identity},
      token_digest ${text} not null unique,
      token ${text} not null,
      email ${text} not null references person (email),
      kind ${text} not null check (kind in ('fcm', 'apns', 'webpush', 'unroutable')),
      attached_at ${integer} not null,
      epoch ${integer} not null,
      lang ${text} not null check (lang in ('en', 'fr')),
      subscribed ${integer} not null check (subscribed in (0, 1))
    ) ${tableOptions}`,
    'create index device_email on device (email, id)',
    'create index device_audience on device (lang, id, kind) where subscribed = 1',
  ],
}
