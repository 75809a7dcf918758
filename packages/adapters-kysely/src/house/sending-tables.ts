import { type DeviceToken, LANGUAGES, OUTCOMES, PROVIDERS } from '@almoner/domain'
import { digestOf } from '../people/device-rows.ts'
import { among, flag, moment, orNull, type Row, whole, words } from './columns.ts'
import { type HouseTable, refersTo, table } from './table.ts'

const language = among(...LANGUAGES)
const provider = among(...PROVIDERS)
const only = (value: unknown) => (value === 1 ? undefined : 'must be 1')

const tokenDigest = ({ token }: Row) => ({ token_digest: digestOf(String(token) as DeviceToken) })

const deliveryRule = (row: Row): string | undefined => {
  const ended = ['delivered', 'failed', 'dead', 'skipped'].reduce((sum, name) => sum + Number(row[name]), 0)
  if (ended > Number(row['recipients'])) return 'has more outcomes than recipients'
  const isOpen = row['notification_id'] !== null && row['finished_at'] === null
  return row['sending'] === 1 && !isOpen ? 'is being sent although it has ended' : undefined
}

const pauseRule = ({ paused_since, pause_reason, paused_until }: Row): string | undefined =>
  (paused_since === null) === (pause_reason === null) && (paused_until === null || paused_since !== null)
    ? undefined
    : 'has half a pause'

const countsRule = ({ answers, dead, answers_before, dead_before }: Row): string | undefined =>
  Number(dead) <= Number(answers) && Number(dead_before) <= Number(answers_before)
    ? undefined
    : 'has more dead tokens than answers'

const OF_DELIVERY = [refersTo('delivery_id', 'delivery', 'id')]
const RECIPIENT = {
  key: ['delivery_id', 'device_id'],
  references: OF_DELIVERY,
  numbers: { device: ['device_id'] },
} as const

const DEVICE = { id: whole(1), token: words, email: words, attached_at: moment }

/** Users and their devices, under the numbers and epochs by which deliveries know them (G4). */
export const PEOPLE_TABLES: ReadonlyArray<HouseTable> = [
  table('epoch', { columns: { id: only, value: whole(1) }, key: ['id'], isGiven: true }),
  table('person', { columns: { email: words, lang: language, subscribed: flag }, key: ['email'] }),
  table<'device', 'token_digest'>('device', {
    columns: {
      ...DEVICE,
      kind: among(...PROVIDERS, 'unroutable'),
      epoch: whole(0),
      lang: language,
      subscribed: flag,
    },
    key: ['id'],
    unique: 'token_digest',
    references: [
      {
        columns: ['email', 'lang', 'subscribed'],
        table: 'person',
        to: ['email', 'lang', 'subscribed'],
      },
    ],
    derived: tokenDigest,
    numbers: { device: ['id'] },
  }),
  table<'dead_device', 'token_digest'>('dead_device', {
    columns: { ...DEVICE, kind: provider, detached_at: moment },
    key: ['id'],
    unique: 'token_digest',
    derived: tokenDigest,
    numbers: { dead_device: ['id'] },
  }),
]

/** Notifications, and how far their sending has come (G5). Nobody holds a portion in the next house: leases end with the move. */
export const SENDING_TABLES: ReadonlyArray<HouseTable> = [
  table('provider', {
    columns: {
      name: provider,
      answers: whole(0),
      dead: whole(0),
      answers_before: whole(0),
      dead_before: whole(0),
      paused_since: orNull(moment),
      pause_reason: orNull(words),
      paused_until: orNull(moment),
      believed_until: orNull(moment),
    },
    key: ['name'],
    rule: (row) => pauseRule(row) ?? countsRule(row),
    isGiven: true,
  }),
  table('notification', {
    columns: {
      id: words,
      lang: language,
      title: words,
      subtitle: orNull(words),
      description: orNull(words),
      due: whole(-1),
      resource_id: orNull(words),
      taken_up: flag,
    },
    key: ['id'],
    rule: ({ taken_up, due }) =>
      taken_up === 1 && Number(due) < 0 ? 'was taken up without a date' : undefined,
  }),
  table('delivery', {
    columns: {
      id: whole(1),
      notification_id: orNull(words),
      sending: flag,
      lang: language,
      epoch: whole(0),
      taken_up_at: moment,
      ends_at: moment,
      finished_at: orNull(moment),
      recipients: whole(0),
      delivered: whole(0),
      failed: whole(0),
      dead: whole(0),
      skipped: whole(0),
      last_device: whole(0),
      claimed_upto: whole(0),
      next_portion: whole(0),
      last_turn: whole(0),
    },
    key: ['id'],
    unique: 'notification_id',
    references: [refersTo('notification_id', 'notification', 'id')],
    rule: deliveryRule,
    // Rows of devices are looked for in a delivery that has none any more, and it is marked anew.
    derived: () => ({ has_rows: 1 }),
    numbers: { delivery: ['id'], device: ['last_device', 'claimed_upto'] },
  }),
  table('portion', {
    columns: {
      delivery_id: whole(1),
      number: whole(0),
      after_device: orNull(whole(0)),
      upto_device: orNull(whole(0)),
      remaining: whole(0),
      fence: whole(0),
      lease_until: orNull(moment),
      closed: flag,
    },
    key: ['delivery_id', 'number'],
    references: OF_DELIVERY,
    rule: ({ after_device, upto_device }) =>
      (after_device === null) === (upto_device === null) ? undefined : 'has half a range',
    moved: (row) => ({ ...row, lease_until: null }),
    numbers: { device: ['upto_device'] },
  }),
  table('retry', {
    ...RECIPIENT,
    columns: {
      delivery_id: whole(1),
      device_id: whole(1),
      email: words,
      attempts: whole(0),
      due_at: moment,
      portion: orNull(whole(0)),
      held_for: orNull(provider),
    },
    rule: ({ held_for, portion }) =>
      held_for !== null && portion !== null ? 'is held and in a portion at once' : undefined,
  }),
  table('ledger', {
    ...RECIPIENT,
    columns: { delivery_id: whole(1), device_id: whole(1), outcome: among(...OUTCOMES), at: moment },
  }),
  table('pin', { ...RECIPIENT, columns: { delivery_id: whole(1), device_id: whole(1), email: words } }),
]
