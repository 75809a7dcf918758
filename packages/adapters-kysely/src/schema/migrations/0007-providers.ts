import type { SqlDialect } from '../../database/database.ts'
import type { Migration } from './migration.ts'

const PROVIDERS = ['fcm', 'apns', 'webpush']
const NAMES = PROVIDERS.map((name) => `'${name}'`).join(', ')

/** The state of each provider, one row each (G5). */
const provider = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table provider (
    name ${text} not null primary key check (name in (${NAMES})),
    answers ${integer} not null check (answers >= 0),
    dead ${integer} not null check (dead between 0 and answers),
    answers_before ${integer} not null check (answers_before >= 0),
    dead_before ${integer} not null check (dead_before between 0 and answers_before),
    paused_since ${integer},
    pause_reason ${text},
    paused_until ${integer},
    believed_until ${integer},
    check ((paused_since is null) = (pause_reason is null)),
    check (paused_until is null or paused_since is not null)
  ) ${tableOptions}`,
  ...PROVIDERS.map(
    (name) =>
      `insert into provider (name, answers, dead, answers_before, dead_before) values ('${name}', 0, 0, 0, 0)`,
  ),
]

/** Devices that were detached as dead, to be restored (G5). */
const deadDevice = ({ text, integer, identity, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table dead_device (
    id ${identity},
    token_digest ${text} not null unique,
    token ${text} not null,
    email ${text} not null,
    kind ${text} not null check (kind in (${NAMES})),
    attached_at ${integer} not null,
    detached_at ${integer} not null
  ) ${tableOptions}`,
  'create index dead_device_time on dead_device (detached_at, id)',
  'create index dead_device_kind on dead_device (kind, detached_at, id)',
]

/** A recipient may wait without having been sent to, for its provider. */
const retry = ({ text, integer, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  'drop index retry_waiting',
  'drop index retry_portion',
  'alter table retry rename to retry_before',
  `create table retry (
    delivery_id ${integer} not null references delivery (id),
    device_id ${integer} not null,
    email ${text} not null,
    attempts ${integer} not null check (attempts >= 0),
    due_at ${integer} not null,
    portion ${integer},
    held_for ${text} check (held_for in (${NAMES})),
    primary key (delivery_id, device_id),
    check (held_for is null or portion is null)
  ) ${keyedOptions}`,
  `insert into retry (delivery_id, device_id, email, attempts, due_at, portion)
    select delivery_id, device_id, email, attempts, due_at, portion from retry_before`,
  'drop table retry_before',
  'create index retry_waiting on retry (delivery_id, due_at, device_id) where portion is null',
  'create index retry_portion on retry (delivery_id, portion, device_id) where portion is not null',
  'create index retry_held on retry (held_for, delivery_id, device_id) where held_for is not null',
]

/** The health of providers, what waits for them, and the devices that they called dead (G5). */
export const providers: Migration = {
  name: '0007-providers',
  statements: (dialect) => [...provider(dialect), ...deadDevice(dialect), ...retry(dialect)],
}
