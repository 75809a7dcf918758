import type { SqlDialect } from '../../../database/database.ts'

/** Notifications (G1). */
export const notifications = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table notification (
    id ${text} not null primary key,
    lang ${text} not null,
    title ${text} not null check (title <> ''),
    subtitle ${text} check (subtitle <> ''),
    description ${text} check (description <> ''),
    due ${integer} not null check (due >= -1),
    resource_id ${text},
    started ${integer} not null check (started in (0, 1)),
    check (started = 0 or due >= 0)
  ) ${tableOptions}`,
  'create index notification_all on notification (due, id)',
  'create index notification_all_lang on notification (lang, due, id)',
  'create index notification_due on notification (due, id) where started = 0 and due >= 0',
]

/** How far a notification's sending has come (G3, G4). */
const deliveries = ({ text, integer, identity, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table delivery (
    id ${identity},
    notification_id ${text} unique,
    sending ${integer} not null check (sending in (0, 1)),
    lang ${text} not null,
    epoch ${integer} not null,
    started_at ${integer} not null,
    ends_at ${integer} not null,
    finished_at ${integer},
    recipients ${integer} not null check (recipients >= 0),
    delivered ${integer} not null check (delivered >= 0),
    failed ${integer} not null check (failed >= 0),
    dead ${integer} not null check (dead >= 0),
    skipped ${integer} not null check (skipped >= 0),
    last_device ${integer} not null,
    claimed_upto ${integer} not null,
    next_batch ${integer} not null,
    last_turn ${integer} not null,
    has_rows ${integer} not null default 1 check (has_rows in (0, 1)),
    shortened ${text} not null default '',
    counted_from ${integer},
    check (delivered + failed + dead + skipped <= recipients),
    check (sending = 0 or (notification_id is not null and finished_at is null))
  ) ${tableOptions}`,
  'create index delivery_sending on delivery (last_turn, id) where sending = 1',
  'create index delivery_rows on delivery (finished_at) where has_rows = 1',
  'create index delivery_ended on delivery (finished_at)',
  `create table batch (
    delivery_id ${integer} not null references delivery (id),
    number ${integer} not null,
    after_device ${integer},
    upto_device ${integer},
    remaining ${integer} not null check (remaining >= 0),
    fence ${integer} not null,
    lease_until ${integer},
    closed ${integer} not null check (closed in (0, 1)),
    primary key (delivery_id, number),
    check ((after_device is null) = (upto_device is null))
  ) ${tableOptions}`,
  'create index batch_open on batch (delivery_id, closed, number)',
]

/** Outcomes and retries of recipients, and snapshots of the ones that changed after the start (G4, G5). */
const recipients = ({ text, integer, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table retry (
    delivery_id ${integer} not null references delivery (id),
    device_id ${integer} not null,
    email ${text} not null,
    attempts ${integer} not null check (attempts >= 0),
    due_at ${integer} not null,
    batch ${integer},
    held_for ${text},
    refusals ${integer} not null default 0 check (refusals >= 0),
    planned_at ${integer},
    primary key (delivery_id, device_id),
    check (held_for is null or batch is null)
  ) ${keyedOptions}`,
  'create index retry_waiting on retry (delivery_id, due_at, device_id) where batch is null',
  'create index retry_planned on retry (delivery_id, planned_at, device_id) where batch is null',
  'create index retry_batch on retry (delivery_id, batch, device_id) where batch is not null',
  'create index retry_held on retry (held_for, delivery_id, device_id) where held_for is not null',
  'create index retry_email on retry (email)',
  `create table ledger (
    delivery_id ${integer} not null references delivery (id),
    device_id ${integer} not null,
    outcome ${text} not null check (outcome in ('delivered', 'failed', 'dead', 'skipped')),
    at ${integer} not null,
    primary key (delivery_id, device_id)
  ) ${keyedOptions}`,
  `create table recipient_snapshot (
    delivery_id ${integer} not null references delivery (id),
    device_id ${integer} not null,
    email ${text} not null,
    primary key (delivery_id, device_id)
  ) ${keyedOptions}`,
  'create index recipient_snapshot_email on recipient_snapshot (email)',
]

/** The health of the origins that pushes go to, one row each (G5, G15). */
const origins = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table provider (
    name ${text} not null primary key,
    answers ${integer} not null check (answers >= 0),
    dead ${integer} not null check (dead between 0 and answers),
    answers_before ${integer} not null check (answers_before >= 0),
    dead_before ${integer} not null check (dead_before between 0 and answers_before),
    paused_since ${integer},
    pause_reason ${text},
    paused_until ${integer},
    override_until ${integer},
    unanswered ${integer} not null default 0 check (unanswered >= 0),
    refusals ${integer} not null default 0 check (refusals >= 0),
    backoffs ${integer} not null default 0 check (backoffs >= 0),
    probes ${integer} not null default 0 check (probes >= 0),
    probe_at ${integer},
    probe_delivery ${integer},
    probe_device ${integer},
    accepted_at ${integer},
    accepted_with ${text},
    planned_at ${integer},
    override_since ${integer},
    check ((paused_since is null) = (pause_reason is null)),
    check (paused_until is null or paused_since is not null)
  ) ${tableOptions}`,
  `insert into provider (name, answers, dead, answers_before, dead_before)
    values ('fcm', 0, 0, 0, 0), ('apns', 0, 0, 0, 0), ('webpush', 0, 0, 0, 0)`,
]

/** The sending of notifications (G3 to G5). */
export const delivery = (dialect: SqlDialect): ReadonlyArray<string> => [
  ...deliveries(dialect),
  ...recipients(dialect),
  ...origins(dialect),
]
