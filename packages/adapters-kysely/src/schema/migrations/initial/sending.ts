import type { SqlDialect } from '../../../database/database.ts'

const notification = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table notification (
    id ${text} not null primary key,
    lang ${text} not null,
    title ${text} not null check (title <> ''),
    subtitle ${text} check (subtitle <> ''),
    description ${text} check (description <> ''),
    due ${integer} not null check (due >= -1),
    resource_id ${text},
    taken_up ${integer} not null check (taken_up in (0, 1)),
    check (taken_up = 0 or due >= 0)
  ) ${tableOptions}`,
  'create index notification_all on notification (due, id)',
  'create index notification_all_lang on notification (lang, due, id)',
  'create index notification_due on notification (due, id) where taken_up = 0 and due >= 0',
]

const COUNTS = ['recipients', 'delivered', 'failed', 'dead', 'skipped']

const delivery = ({ text, integer, identity, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table delivery (
    id ${identity},
    notification_id ${text} unique,
    sending ${integer} not null check (sending in (0, 1)),
    lang ${text} not null,
    epoch ${integer} not null,
    taken_up_at ${integer} not null,
    ends_at ${integer} not null,
    finished_at ${integer},
    ${COUNTS.map((count) => `${count} ${integer} not null check (${count} >= 0)`).join(',\n    ')},
    last_device ${integer} not null,
    claimed_upto ${integer} not null,
    next_portion ${integer} not null,
    last_turn ${integer} not null,
    has_rows ${integer} not null default 1 check (has_rows in (0, 1)),
    check (delivered + failed + dead + skipped <= recipients),
    check (sending = 0 or (notification_id is not null and finished_at is null))
  ) ${tableOptions}`,
  'create index delivery_sending on delivery (last_turn, id) where sending = 1',
  'create index delivery_rows on delivery (finished_at) where has_rows = 1',
  'create index delivery_ended on delivery (finished_at)',
]

/** A table about some of a delivery's recipients. */
const ofRecipients = (name: string, columns: ReadonlyArray<string>, { integer, keyedOptions }: SqlDialect) =>
  `create table ${name} (
    delivery_id ${integer} not null references delivery (id),
    device_id ${integer} not null,
    ${columns.join(',\n    ')}
  ) ${keyedOptions}`

const KEY = 'primary key (delivery_id, device_id)'

const recipients = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text, integer, tableOptions } = dialect
  const outcome = `outcome ${text} not null check (outcome in ('delivered', 'failed', 'dead', 'skipped'))`
  const retry = [
    `email ${text} not null`,
    `attempts ${integer} not null check (attempts >= 0)`,
    `due_at ${integer} not null`,
    `portion ${integer}`,
    `held_for ${text}`,
    KEY,
    'check (held_for is null or portion is null)',
  ]
  return [
    `create table portion (
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
    'create index portion_open on portion (delivery_id, closed, number)',
    ofRecipients('retry', retry, dialect),
    'create index retry_waiting on retry (delivery_id, due_at, device_id) where portion is null',
    'create index retry_portion on retry (delivery_id, portion, device_id) where portion is not null',
    'create index retry_held on retry (held_for, delivery_id, device_id) where held_for is not null',
    ofRecipients('ledger', [outcome, `at ${integer} not null`, KEY], dialect),
    ofRecipients('pin', [`email ${text} not null`, KEY], dialect),
  ]
}

/** The health of providers, one row each (G5). */
const provider = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table provider (
    name ${text} not null primary key,
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
  ...['fcm', 'apns', 'webpush'].map(
    (name) =>
      `insert into provider (name, answers, dead, answers_before, dead_before) values ('${name}', 0, 0, 0, 0)`,
  ),
]

/** Notifications and how far their sending has come (G3 to G5). */
export const sending = (dialect: SqlDialect): ReadonlyArray<string> => [
  ...notification(dialect),
  ...delivery(dialect),
  ...recipients(dialect),
  ...provider(dialect),
]
