import type {
  DeliveryReport,
  InboxView,
  Schedule,
  SeenMark,
  ShownNotification,
  TestDevice,
  TestPush,
} from '@almoner/domain/delivery'
import {
  DELIVERY_STATES,
  type DraftPreview,
  type Look,
  MessageText,
  type NotificationView,
  PAYLOAD_LIMIT,
  type PushResult,
  SHORTENED,
  SMALLER_SERVICES,
  stateOf,
  type Topic,
  toDateTime,
} from '@almoner/domain/notifications'
import type { NotificationWithProgress } from '@almoner/domain/ports'
import { LabelId, toRfc3339 } from '@almoner/domain/values'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  emptyOr,
  IMAGE_URL,
  int,
  LANG,
  literals,
  optional,
  orEmpty,
  TIME,
  TIME_OR_EMPTY,
  text,
  textLike,
  URL_OR_EMPTY,
  under,
  uuid,
} from './codecs.ts'

const STATE = literals(DELIVERY_STATES, 'DeliveryState')
const ID = uuid('Identifier of the notification.')
const DATE = text('Moment in UTC, or empty.', '2030-01-01 00:00:00', {
  pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})?$',
})

const NOTIFICATION_FIELDS = {
  id: ID,
  title: textLike(MessageText),
  subtitle: emptyOr(MessageText),
  description: emptyOr(MessageText),
  date: DATE,
  lang: LANG,
  visualUrl: IMAGE_URL,
  iconUrl: IMAGE_URL,
  actionUrl: URL_OR_EMPTY,
  color: text('Colour of the icon, or empty.', '#1F6F54'),
}

/**
 * A notification as callers see it: the interface's fields and no others, all text, `""` where absent (G1). In lists `include` adds its
 * counterpart and label (G12, G14).
 */
export const NotificationJson = under('notification', {
  ...NOTIFICATION_FIELDS,
  counterpart: optional(
    t.union([t.strict({ notificationId: ID, lang: LANG, date: DATE, state: STATE }), t.null]),
  ),
  labelId: optional(emptyOr(LabelId)),
})

/** How far a notification has come: devices counted, times in RFC 3339 or `""` (G7), and what `include` adds (F7, G6). */
export const DeliveryJson = under('delivery', {
  notificationId: ID,
  state: STATE,
  recipients: t.Int,
  pending: t.Int,
  delivered: t.Int,
  failed: t.Int,
  dead: t.Int,
  skipped: t.Int,
  startedAt: TIME_OR_EMPTY,
  finishedAt: TIME_OR_EMPTY,
  shortened: optional(literals(SHORTENED)),
  seen: optional(t.Int),
})

/** A notification in an inbox; `seenAt` is in RFC 3339, or `""` when not seen (F7). */
export const InboxEntryJson = under(
  'notification',
  { ...NOTIFICATION_FIELDS, seenAt: TIME_OR_EMPTY },
  'InboxNotification',
)

/** When a person first saw a notification (F7). */
export const SeenJson = under('seen', { notificationId: ID, seenAt: TIME }, 'SeenMark')

const dateTime = flow(O.map(toDateTime), orEmpty)
const timestamp = flow(O.map(toRfc3339), orEmpty)

const encodeCounterpart = ({ notification: { id, lang, date }, progress }: NotificationWithProgress) => ({
  notificationId: id,
  lang,
  date: dateTime(date),
  state: stateOf(date, progress),
})

/**
 * Writes a notification: `date` in UTC, its icon and colour those of the deployment (G1). Members that were not asked for are undefined, and JSON
 * leaves them out (G12, G14).
 */
export const encodeNotification =
  ({ iconUrl, color }: Look) =>
  ({
    notification: { id, title, subtitle, description, date, lang },
    links: { visualUrl, actionUrl },
    counterpart,
    topic,
  }: NotificationView): t.OutputOf<typeof NotificationJson> => ({
    notification: {
      id,
      title,
      subtitle: orEmpty(subtitle),
      description: orEmpty(description),
      date: dateTime(date),
      lang,
      visualUrl: orEmpty(visualUrl),
      iconUrl: orEmpty(iconUrl),
      actionUrl: orEmpty(actionUrl),
      color,
      counterpart: counterpart && O.toNullable(O.map(encodeCounterpart)(counterpart)),
      labelId: topic && orEmpty(topic),
    },
  })

/** Writes a delivery report; members that were not asked for are undefined, and JSON leaves them out. */
export const encodeDelivery = (delivery: DeliveryReport): t.OutputOf<typeof DeliveryJson> => ({
  delivery: {
    notificationId: delivery.notificationId,
    state: delivery.state,
    recipients: delivery.recipients,
    pending: delivery.pending,
    delivered: delivery.tally.delivered,
    failed: delivery.tally.failed,
    dead: delivery.tally.dead,
    skipped: delivery.tally.skipped,
    startedAt: timestamp(delivery.startedAt),
    finishedAt: timestamp(delivery.finishedAt),
    shortened: delivery.shortened,
    seen: delivery.seen === undefined ? undefined : int(delivery.seen),
  },
})

/** Writes a notification of an inbox. */
export const encodeInboxEntry =
  (look: Look) =>
  (view: InboxView): t.OutputOf<typeof InboxEntryJson> => {
    const { notification } = encodeNotification(look)(view)
    return { notification: { ...notification, seenAt: timestamp(view.seenAt) } }
  }

/** Writes a seen mark. */
export const encodeSeen = ({ notificationId, seenAt }: SeenMark): t.OutputOf<typeof SeenJson> => ({
  seen: { notificationId, seenAt: toRfc3339(seenAt) },
})

/** A notification with a date, and how many of its devices ended each way. */
const EntryJson = t.strict({
  notificationId: ID,
  lang: LANG,
  title: t.string,
  sendAt: TIME_OR_EMPTY,
  state: STATE,
  recipients: t.Int,
  pending: t.Int,
})

/** The notifications of some days; `complete` is false where the earliest are missing (G7). */
export const ScheduleJson = under(
  'schedule',
  { notifications: t.array(EntryJson), complete: t.boolean },
  'NotificationSchedule',
)

/** Writes a schedule, the latest notification first. */
export const encodeSchedule = ({ entries, isComplete }: Schedule): t.OutputOf<typeof ScheduleJson> => ({
  schedule: {
    notifications: entries.map(({ notification: { id, lang, title, date }, delivery }) => ({
      notificationId: id,
      lang,
      title,
      sendAt: orEmpty(O.map(toRfc3339)(date)),
      state: delivery.state,
      recipients: int(delivery.recipients),
      pending: int(delivery.pending),
    })),
    complete: isComplete,
  },
})

/** A notification as it was written; `resourceId` is the publication that it is about, or empty (G2). */
export const ShownNotificationJson = under(
  'notification',
  {
    notificationId: ID,
    lang: LANG,
    title: t.string,
    subtitle: t.string,
    description: t.string,
    sendAt: TIME_OR_EMPTY,
    resourceId: t.string,
    labelId: t.string,
    state: STATE,
  },
  'ShownNotification',
)

/** Writes a notification as it was written, with its state. */
export const encodeShownNotification = ({
  notification: { id, lang, title, subtitle, description, date, resourceId, labelId },
  delivery: { state },
}: ShownNotification): t.OutputOf<typeof ShownNotificationJson> => ({
  notification: {
    notificationId: id,
    lang,
    title,
    subtitle: orEmpty(subtitle),
    description: orEmpty(description),
    sendAt: orEmpty(O.map(toRfc3339)(date)),
    resourceId: orEmpty(resourceId),
    labelId: orEmpty(labelId),
    state,
  },
})

/** The topic of a notification, and how many of its people follow it (G12). */
const TopicJson = t.strict({ labelId: t.string, people: t.Int })

const encodeTopic = (topic: O.Option<Topic>) =>
  O.isSome(topic) ? { labelId: topic.value.labelId, people: int(topic.value.people) } : null

/** What a draft would send: its size, the number of devices of each kind, and why it could not be created (G2, G6). */
export const PreviewJson = under('preview', {
  bytes: t.Int,
  most: t.Int,
  smallerLimits: t.array(t.strict({ service: literals(SMALLER_SERVICES), bytes: t.Int, most: t.Int })),
  visualUrl: URL_OR_EMPTY,
  actionUrl: URL_OR_EMPTY,
  recipients: t.array(t.strict({ kind: t.string, devices: t.Int })),
  topic: t.union([TopicJson, t.null]),
  errors: t.array(t.strict({ field: t.string, message: t.string })),
})

/** Writes a preview; kinds without devices are left out. */
export const encodePreview = (preview: DraftPreview): t.OutputOf<typeof PreviewJson> => ({
  preview: {
    bytes: int(preview.bytes),
    most: int(PAYLOAD_LIMIT),
    smallerLimits: preview.smallerLimits.map(({ service, bytes, most }) => ({
      service,
      bytes: int(bytes),
      most: int(most),
    })),
    visualUrl: preview.message.data.visualUrl,
    actionUrl: preview.message.data.actionUrl,
    recipients: Object.entries(preview.recipients)
      .filter(([, devices]) => devices > 0)
      .map(([kind, devices]) => ({ kind, devices: int(devices) })),
    topic: encodeTopic(preview.topic),
    errors: preview.errors.map(({ field, message }) => ({ field, message })),
  },
})

/** A device of the caller, without its token. */
export const TestDeviceJson = under(
  'device',
  { number: t.Int, kind: t.string, attachedAt: TIME },
  'TestDevice',
)

/** Writes a device that a test may be sent to. */
export const encodeTestDevice = ({
  number,
  kind,
  attachedAt,
}: TestDevice): t.OutputOf<typeof TestDeviceJson> => ({
  device: { number: int(number), kind, attachedAt: toRfc3339(attachedAt) },
})

const OUTCOMES = {
  Delivered: 'delivered',
  Unregistered: 'unregistered',
  Retry: 'retry',
  Refused: 'refused',
  SenderError: 'senderError',
} as const satisfies Readonly<Record<PushResult['_tag'], string>>

/** The provider's response to a test push; `reason` is its own word, or empty. */
export const TestJson = under(
  'test',
  {
    outcome: literals(Object.values(OUTCOMES)),
    reason: t.string,
    topic: t.union([TopicJson, t.null]),
  },
  'TestResult',
)

/** Writes the result of a test push. */
export const encodeTest = ({ result, topic }: TestPush): t.OutputOf<typeof TestJson> => ({
  test: {
    outcome: OUTCOMES[result._tag],
    reason: result._tag === 'Delivered' ? '' : result.reason,
    topic: encodeTopic(topic),
  },
})
