import type { SqlDialect } from '../../../database/database.ts'

/** Users and their devices (F1, F4), devices that were detached as unregistered (G5), and the epoch that fixes recipients (G4). */
export const devices = ({
  text,
  integer,
  identity,
  tableOptions,
  keyedOptions,
}: SqlDialect): ReadonlyArray<string> => {
  const token = `token_digest ${text} not null unique,
    token ${text} not null,`
  return [
    `create table epoch (
    id ${integer} not null primary key check (id = 1),
    value ${integer} not null
  ) ${tableOptions}`,
    'insert into epoch (id, value) values (1, 1)',
    `create table person (
    email ${text} not null primary key,
    lang ${text} not null,
    subscribed ${integer} not null check (subscribed in (0, 1))
  ) ${keyedOptions}`,
    `create table device (
    id ${identity},
    ${token}
    email ${text} not null references person (email),
    kind ${text} not null,
    attached_at ${integer} not null,
    epoch ${integer} not null,
    lang ${text} not null,
    subscribed ${integer} not null check (subscribed in (0, 1))
  ) ${tableOptions}`,
    'create index device_email on device (email, id)',
    'create index device_audience on device (lang, id, kind) where subscribed = 1',
    "create index device_unroutable on device (id) where kind = 'unroutable'",
    `create table dead_device (
    id ${identity},
    ${token}
    email ${text} not null,
    kind ${text} not null,
    attached_at ${integer} not null,
    detached_at ${integer} not null
  ) ${tableOptions}`,
    'create index dead_device_time on dead_device (detached_at, id)',
    'create index dead_device_kind on dead_device (kind, detached_at, id)',
  ]
}
