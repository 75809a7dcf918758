import {
  type CheckedLink,
  type FailedSchedule,
  type Gone,
  SCHEDULE_PARTS,
  STATUSES,
} from '@almoner/domain/content'
import { type Pause, type ProviderState, type SendingQueue, serverOf } from '@almoner/domain/delivery'
import { CONTENT_TYPES } from '@almoner/domain/history'
import { DELIVERY_STATES, type DeliveryState, type Tally } from '@almoner/domain/notifications'
import {
  type Desk,
  FINDING_CODES,
  FINDING_LEVELS,
  type Figures,
  type HealthFinding,
  type NotificationState,
  type StatisticsReport,
  type Titled,
} from '@almoner/domain/operations'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'
import { encodeOpenProposals, OpenProposalsJson } from './proposals.ts'

const instantText = O.match(() => '', toRfc3339)

/** The title of an entry or a notification. */
export const TitleJson = under('title', { id: t.string, text: t.string })

/** Writes a title. */
export const encodeTitle = ({ id, title }: Titled): t.OutputOf<typeof TitleJson> => ({
  title: { id, text: title },
})

/** What a check found (I3). `values` are what the words about it need. */
export const FindingJson = under('finding', {
  check: t.string,
  level: literals(FINDING_LEVELS),
  code: literals(FINDING_CODES),
  values: t.array(t.strict({ name: t.string, text: t.string })),
})

/** Writes a finding. */
export const encodeFinding = ({
  check,
  level,
  code,
  values,
}: HealthFinding): t.OutputOf<typeof FindingJson> => ({
  finding: { check, level, code, values: Object.entries(values).map(([name, text]) => ({ name, text })) },
})

const PAUSE = { since: t.string, until: t.string, reason: t.string }

/**
 * The state of a push provider (G5). `since`, `until` and `reason` are of its pause; `until` is empty where an operator has to end it. `servers` are
 * those of its servers that are paused (G15).
 */
export const ProviderJson = under('provider', {
  name: t.string,
  isPaused: t.boolean,
  ...PAUSE,
  overrideUntil: t.string,
  servers: t.array(t.strict({ server: t.string, ...PAUSE })),
})

/** Writes the state of a provider. */
export const encodeProvider = ({
  provider,
  pause,
  origins,
  overrideUntil,
}: ProviderState): t.OutputOf<typeof ProviderJson> => {
  const paused = O.toUndefined(pause)
  const fieldsOf = ({ since, until, reason }: Pause) => {
    return { since: toRfc3339(since), until: instantText(until), reason }
  }
  return {
    provider: {
      name: provider,
      isPaused: paused !== undefined,
      ...(paused === undefined ? { since: '', until: '', reason: '' } : fieldsOf(paused)),
      overrideUntil: instantText(overrideUntil),
      servers: origins.map((one) => ({ server: serverOf(one.origin), ...fieldsOf(one) })),
    },
  }
}

const tallyFields = { delivered: t.Int, failed: t.Int, dead: t.Int, skipped: t.Int }
const TallyJson = t.strict(tallyFields)

const encodeTally = (tally: Tally): t.OutputOf<typeof TallyJson> => ({
  delivered: int(tally.delivered),
  failed: int(tally.failed),
  dead: int(tally.dead),
  skipped: int(tally.skipped),
})

/** A service in numbers, at most a minute old (B8). */
export const StatisticsJson = under('statistics', {
  items: t.array(
    t.strict({
      contentType: literals(CONTENT_TYPES),
      status: literals(STATUSES),
      lang: LANG,
      count: t.Int,
    }),
  ),
  devices: t.array(t.strict({ kind: t.string, count: t.Int })),
  deliveries: t.strict({
    timeZone: t.string,
    days: t.array(t.strict({ day: t.string, ...tallyFields })),
    total: TallyJson,
  }),
})

/** Writes a service in numbers. */
export const encodeStatistics = ({
  items,
  devices,
  deliveries,
}: StatisticsReport): t.OutputOf<typeof StatisticsJson> => ({
  statistics: {
    items: items.map(({ contentType, status, lang, count }) => ({
      contentType,
      status,
      lang,
      count: int(count),
    })),
    devices: devices.map(({ kind, count }) => ({ kind, count: int(count) })),
    deliveries: {
      timeZone: deliveries.timeZone,
      days: deliveries.days.map((one) => ({ day: one.day, ...encodeTally(one) })),
      total: encodeTally(deliveries.total),
    },
  },
})

const IntOrNull = t.union([t.Int, t.null])

const encodeCount = O.match((): t.Int | null => null, int)

const QueueJson = t.strict({ pending: t.Int, retries: t.Int, dueSince: t.string, unsentSince: t.string })

const encodeQueue = ({
  pending,
  retries,
  dueSince,
  unsentSince,
}: SendingQueue): t.OutputOf<typeof QueueJson> => ({
  pending: int(pending),
  retries: int(retries),
  dueSince: instantText(dueSince),
  unsentSince: instantText(unsentSince),
})

/** What the service does now. `requests` and `operations` are counts since the start; a figure that is not measured is null (I3). */
export const FiguresJson = under('figures', {
  at: t.string,
  queue: QueueJson,
  paused: t.array(t.string),
  nodes: t.Int,
  requests: IntOrNull,
  operations: IntOrNull,
  freeBytes: IntOrNull,
  adapters: t.strict({ database: t.string, storage: t.string, push: t.array(t.string) }),
})

/** Writes what the service does now. */
export const encodeFigures = ({
  at,
  queue,
  providers,
  nodes,
  host,
  adapters,
}: Figures): t.OutputOf<typeof FiguresJson> => ({
  figures: {
    at: toRfc3339(at),
    queue: encodeQueue(queue),
    paused: providers.flatMap(({ provider, pause }) => (O.isSome(pause) ? [provider] : [])),
    nodes: int(nodes),
    requests: encodeCount(host.requests),
    operations: encodeCount(host.operations),
    freeBytes: encodeCount(host.freeBytes),
    adapters: { database: adapters.database, storage: adapters.storage, push: [...adapters.push] },
  },
})

const TodayJson = t.strict({
  notificationId: t.string,
  lang: LANG,
  title: t.string,
  sendAt: t.string,
  state: literals(DELIVERY_STATES),
})

const FailedJson = t.strict({
  notificationId: t.string,
  title: t.string,
  reason: t.keyof({ failed: null, partial: null }),
})

const FailedScheduleJson = t.strict({
  contentType: literals(CONTENT_TYPES),
  itemId: t.string,
  itemTitle: t.string,
  lang: LANG,
  moment: literals(SCHEDULE_PARTS),
  failedAt: t.string,
  missing: t.array(t.string),
})

/** A publication that is older than its counterpart, and the fields whose words changed there (J8). */
const ChangedJson = t.strict({ itemId: t.string, lang: LANG, title: t.string, fields: t.array(t.string) })

const encodeChanged = ({
  itemId,
  title,
  counterpart,
}: Desk['changed'][number]): t.OutputOf<typeof ChangedJson> => ({
  itemId,
  lang: counterpart.lang === 'en' ? 'fr' : 'en',
  title,
  fields: counterpart.changes.map(({ field }) => field),
})

/** A dead link of a Live item (C17). `field` names the field that holds it, `answer` is a status of HTTP, or why there is none. */
export const DeadLinkJson = under(
  'link',
  {
    contentType: literals(CONTENT_TYPES),
    itemId: t.string,
    itemTitle: t.string,
    lang: LANG,
    field: t.string,
    url: t.string,
    answer: t.string,
    since: t.string,
    checkedAt: t.string,
  },
  'DeadLink',
)

/** Writes a dead link. */
export const encodeDeadLink = ({ item, finding }: CheckedLink): t.OutputOf<typeof DeadLinkJson> => ({
  link: {
    contentType: finding.contentType,
    itemId: item.id,
    itemTitle: item.title,
    lang: item.lang,
    field: finding.field,
    url: finding.url,
    answer: finding.answer,
    since: instantText(O.map(({ since }: Gone) => since)(finding.gone)),
    checkedAt: toRfc3339(finding.at),
  },
})

/** What waits for content managers; `oldestWaiting` is null where no post waits (M7). */
export const DeskJson = under('desk', {
  waiting: t.Int,
  oldestWaiting: t.union([t.string, t.null]),
  lacking: t.strict({ en: t.Int, fr: t.Int }),
  older: t.Int,
  changed: t.array(ChangedJson),
  today: t.array(TodayJson),
  failed: t.array(FailedJson),
  schedules: t.array(FailedScheduleJson),
  proposals: OpenProposalsJson,
})

const encodeToday = ({ notification, state }: NotificationState): t.OutputOf<typeof TodayJson> => ({
  notificationId: notification.id,
  lang: notification.lang,
  title: notification.title,
  sendAt: O.getOrElse(() => '')(O.map(toRfc3339)(notification.date)),
  state,
})

const reasonOf = (state: DeliveryState): 'failed' | 'partial' => (state === 'failed' ? 'failed' : 'partial')

const encodeFailed = ({ notification, state }: NotificationState): t.OutputOf<typeof FailedJson> => ({
  notificationId: notification.id,
  title: notification.title,
  reason: reasonOf(state),
})

const encodeFailedSchedule = ({
  contentType,
  item,
  part,
  at,
  missing,
}: FailedSchedule): t.OutputOf<typeof FailedScheduleJson> => ({
  contentType,
  itemId: item.id,
  itemTitle: item.title,
  lang: item.lang,
  moment: part,
  failedAt: toRfc3339(at),
  missing: [...missing],
})

/** Writes what waits for content managers. */
export const encodeDesk = (desk: Desk): t.OutputOf<typeof DeskJson> => ({
  desk: {
    waiting: int(desk.waiting),
    oldestWaiting: O.toNullable(O.map(toRfc3339)(desk.oldestWaiting)),
    lacking: { en: int(desk.lacking.en), fr: int(desk.lacking.fr) },
    older: int(desk.older),
    changed: desk.changed.map(encodeChanged),
    proposals: encodeOpenProposals(desk.proposals),
    today: desk.today.map(encodeToday),
    failed: desk.failed.map(encodeFailed),
    schedules: desk.schedules.map(encodeFailedSchedule),
  },
})
