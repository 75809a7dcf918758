import { type Origin, providerOf } from '@almoner/domain/delivery'
import { OUTCOMES } from '@almoner/domain/notifications'
import { type DeviceToken, isProviderName, isTopicList } from '@almoner/domain/people'
import { LANGUAGES } from '@almoner/domain/values'
import { tokenDigest } from '../schema/device.table.ts'
import { integer, matching, oneOf, type Row, refersTo, type TransferTable, table } from './table.ts'

const provider = matching(isProviderName, 'the name of a push provider')
const origin = matching(
  (text) => isProviderName(providerOf(text as Origin)),
  'the name of a push provider, with the server that pushes go to',
)
const topicList = matching(isTopicList, 'a JSON array of labels')
const deviceKind = matching((text) => text === 'unroutable' || isProviderName(text), 'a kind of device')
/** That of the text, as two of an earlier export may be one device: they are merged after the rows are loaded. */
const digestOf = ({ token }: Row) => tokenDigest(String(token) as DeviceToken)

const deliveryRule = (row: Row): string | undefined => {
  const ended = ['delivered', 'failed', 'dead', 'skipped'].reduce((sum, name) => sum + Number(row[name]), 0)
  if (ended > Number(row['recipients'])) return 'has more outcomes than recipients'
  const isOpen = row['notification_id'] !== null && row['finished_at'] === null
  return row['sending'] === 1 && !isOpen ? 'is being sent although it has ended' : undefined
}

const providerRule = (row: Row): string | undefined => {
  const { paused_since, pause_reason, paused_until } = row
  if ((paused_since === null) !== (pause_reason === null) || (paused_until !== null && paused_since === null))
    return 'has half a pause'
  const { answers, dead, answers_before, dead_before } = row
  return Number(dead) <= Number(answers) && Number(dead_before) <= Number(answers_before)
    ? undefined
    : 'has more dead tokens than answers'
}

const ofDelivery = { references: [refersTo('delivery_id', 'delivery')] }
const ofRecipient = {
  key: ['delivery_id', 'device_id'],
  ...ofDelivery,
  numbers: { device: ['device_id'] },
} as const
const RECIPIENT = { delivery_id: integer(1), device_id: integer(1) }
const USER = ['email', 'lang', 'subscribed']

/**
 * Users and their devices, under the numbers and epochs by which deliveries know them (G4); notifications and how far their sending has
 * come (G5).
 */
export const SENDING_TABLES: ReadonlyArray<TransferTable> = [
  table('epoch', {
    key: ['id'],
    checks: { id: (value) => (value === 1 ? undefined : 'must be 1'), value: integer(1) },
    isSeedData: true,
  }),
  table('person', {
    key: ['email'],
    checks: { topics: topicList },
    references: [{ ...refersTo('topics', 'label', 'label_id'), isList: true }],
  }),
  table('former_preference', {
    key: ['email', 'until_epoch'],
    // Labels that were removed since stay in it.
    checks: { topics: topicList },
    references: [refersTo('email', 'person', 'email')],
    rule: ({ since_epoch, until_epoch }) =>
      Number(since_epoch) < Number(until_epoch) ? undefined : 'ends before it begins',
  }),
  table('device', {
    key: ['id'],
    unique: 'token_digest',
    checks: { id: integer(1), kind: deviceKind },
    references: [{ columns: USER, table: 'person', to: USER }],
    // Once all are loaded, devices repeat the topics of their users.
    derived: { token_digest: digestOf, follows_all: () => 1 },
    numbers: { device: ['id'] },
  }),
  table('dead_device', {
    key: ['id'],
    unique: 'token_digest',
    checks: { id: integer(1), kind: provider },
    derived: { token_digest: digestOf },
    numbers: { dead_device: ['id'] },
  }),
  table('provider', {
    key: ['name'],
    checks: { name: origin },
    rule: providerRule,
    // Probes end with the export, as claims do.
    onExport: (row) => ({ ...row, probe_delivery: null, probe_device: null, probe_at: null }),
    isSeedData: true,
  }),
  table('notification', {
    key: ['id'],
    checks: { due: integer(-1), revision: integer(1) },
    rule: ({ started, due }) => (started === 1 && Number(due) < 0 ? 'was started without a date' : undefined),
  }),
  table('announcement', {
    key: ['en_id'],
    unique: 'fr_id',
    references: LANGUAGES.map((lang) => ({ ...refersTo(`${lang}_id`, 'notification'), having: { lang } })),
  }),
  table('delivery', {
    key: ['id'],
    unique: 'notification_id',
    checks: { id: integer(1), shortened: oneOf('', 'image', 'links') },
    references: [refersTo('notification_id', 'notification')],
    rule: deliveryRule,
    // The retention job searches each delivery for rows of devices, and clears this where there are none.
    derived: { has_rows: () => 1 },
    numbers: { delivery: ['id'], device: ['last_device', 'claimed_upto'] },
  }),
  table('batch', {
    key: ['delivery_id', 'number'],
    checks: { delivery_id: integer(1) },
    ...ofDelivery,
    rule: ({ after_device, upto_device }) =>
      (after_device === null) === (upto_device === null) ? undefined : 'has half a range',
    // Claims end with the export.
    onExport: (row) => ({ ...row, lease_until: null }),
    numbers: { device: ['upto_device'] },
  }),
  table('retry', {
    ...ofRecipient,
    checks: { ...RECIPIENT, held_for: origin },
    rule: ({ held_for, batch }) =>
      held_for !== null && batch !== null ? 'is held and in a batch at once' : undefined,
  }),
  table('ledger', { ...ofRecipient, checks: { ...RECIPIENT, outcome: oneOf(...OUTCOMES) } }),
  table('recipient_snapshot', { ...ofRecipient, checks: RECIPIENT }),
  table('seen_mark', {
    key: ['delivery_id', 'email'],
    checks: { delivery_id: integer(1) },
    references: [refersTo('delivery_id', 'delivery'), refersTo('email', 'person', 'email')],
  }),
]
