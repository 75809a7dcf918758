import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Cursor, cursorCodec } from '../content/finding.ts'
import type { LibraryItem } from '../content/model.ts'
import { addressOf, type MediaAddresses } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import type { ItemId, LabelId, NotificationId } from '../values/ids.ts'
import {
  BLANK,
  type Branded,
  isStorable,
  NOT_STORABLE,
  nfcOf,
  oneOf,
  type Refined,
  refined,
} from '../values/refined.ts'
import type { Colour, Language } from '../values/text.ts'
import { type Instant, timestamp } from '../values/time.ts'

/** What a notification takes from the library item it relates to. */
export interface NotificationLinks {
  /** The item's notification image. */
  readonly visualUrl: O.Option<WebUrl>
  /** The item's link. */
  readonly actionUrl: O.Option<WebUrl>
}

/** The links of a notification that is related to nothing, or to an item that is not Live (G1). */
export const NO_LINKS: NotificationLinks = { visualUrl: O.none, actionUrl: O.none }

/** The links that a related item gives as it is now: none unless it is Live (G1). */
export const linksFrom =
  (addresses: MediaAddresses) =>
  (item: LibraryItem): NotificationLinks =>
    item.status === 'Live'
      ? {
          visualUrl: O.map(addressOf(addresses))(item.images.notification),
          actionUrl: O.some(item.link),
        }
      : NO_LINKS

/** What a notification may relate to. */
export const RESOURCE_TYPES = ['Library'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** `resource_type` (G2). */
export const ResourceType = oneOf<ResourceType>(
  'ResourceType',
  RESOURCE_TYPES,
  'Type of the resource that the notification relates to.',
)

/** A message for the readers of one language. It can change until a review takes it up (G13). */
export interface Notification {
  readonly id: NotificationId
  /** Grows by one with each change, from 1: the part of an ETag that If-Match compares (C10). */
  readonly revision: number
  readonly lang: Language
  readonly title: MessageText
  readonly subtitle: O.Option<MessageText>
  readonly description: O.Option<MessageText>
  /** When it is to go out; without a date it never does. */
  readonly date: O.Option<Instant>
  /** The library item that it relates to. */
  readonly resourceId: O.Option<ItemId>
  /** The label that it is about, as it was when a review started it (G12). */
  readonly labelId: O.Option<LabelId>
}

/** There is no such notification (G3, G7). */
export interface NotificationNotFound {
  readonly _tag: 'NotificationNotFound'
}

/** The one {@link NotificationNotFound}. */
export const NOTIFICATION_NOT_FOUND: NotificationNotFound = { _tag: 'NotificationNotFound' }

/** A review has started the notification, so it can be neither changed nor withdrawn (G3, G4, G13). */
export interface NotificationStarted {
  readonly _tag: 'NotificationStarted'
}

/** The one {@link NotificationStarted}. */
export const NOTIFICATION_STARTED: NotificationStarted = { _tag: 'NotificationStarted' }

/** The related library item does not exist (G2). */
export interface ResourceNotFound {
  readonly _tag: 'ResourceNotFound'
}

/** The one {@link ResourceNotFound}. */
export const RESOURCE_NOT_FOUND: ResourceNotFound = { _tag: 'ResourceNotFound' }

/** Whether a notification is to go out at a moment: a time already past is due at once (G2). */
export const isDue = ({ date }: Pick<Notification, 'date'>, now: Instant): boolean =>
  O.isSome(date) && date.value <= now

/** What a deployment gives every notification (G1). */
export interface Look {
  readonly iconUrl: O.Option<WebUrl>
  readonly color: Colour
}

/** The message to a device, independent of the provider (G6). All fields are text, and empty if absent. */
export interface PushMessage {
  readonly title: string
  readonly subtitle: string
  readonly body: string
  readonly data: {
    readonly notificationId: string
    readonly lang: string
    readonly resourceType: string
    readonly resourceId: string
    readonly actionUrl: string
    readonly visualUrl: string
    readonly iconUrl: string
    readonly color: string
  }
}

const orEmpty = (text: O.Option<string>): string =>
  pipe(
    text,
    O.getOrElse(() => ''),
  )

/** The message of a notification, with its links as they are when it is sent (G1, G6). */
export const messageOf = (
  { id, lang, title, subtitle, description, resourceId }: Omit<Notification, 'revision'>,
  { visualUrl, actionUrl }: NotificationLinks,
  { iconUrl, color }: Look,
): PushMessage => ({
  title,
  subtitle: orEmpty(subtitle),
  body: orEmpty(description),
  data: {
    notificationId: id,
    lang,
    resourceType: RESOURCE_TYPES[0],
    resourceId: orEmpty(resourceId),
    actionUrl: orEmpty(actionUrl),
    visualUrl: orEmpty(visualUrl),
    iconUrl: orEmpty(iconUrl),
    color,
  },
})

/** Selects notifications: of one language or of any, about a publication, in a state (G14). */
export interface NotificationQuery {
  readonly lang: O.Option<Language>
  readonly resourceId?: O.Option<ItemId> | undefined
  readonly state?: O.Option<DeliveryState> | undefined
}

/** By date, latest first, undated last; of one date the latest made first (G3). The key is the date in milliseconds. */
export type NotificationCursor = Cursor<number>

/** The key of a notification without a date: below every date. */
export const UNDATED = -1

/** Where a notification stands (G3). */
export const notificationCursor = ({ id, date }: Pick<Notification, 'id' | 'date'>): NotificationCursor => ({
  key: O.getOrElse((): number => UNDATED)(date),
  id,
})

const isOrAny = <A>(wanted: O.Option<A> | undefined, actual: A | undefined): boolean =>
  wanted === undefined || O.isNone(wanted) || wanted.value === actual

/** Whether a notification belongs to the answer of a query, by its values and how far it has come (G3, G14). */
export const matchesNotification =
  ({ lang, resourceId, state }: NotificationQuery) =>
  (notification: Pick<Notification, 'date' | 'lang' | 'resourceId'>, progress: O.Option<Progress>): boolean =>
    isOrAny(lang, notification.lang) &&
    isOrAny(resourceId, O.toUndefined(notification.resourceId)) &&
    isOrAny(state, stateOf(notification.date, progress))

/**
 * Reads the place after which a page of notifications begins, from the text that `encodeCursor` made of it (C11).
 */
export const NotificationCursor = cursorCodec<number>('NotificationCursor', (text) =>
  /^(?:-1|\d{1,15})$/.test(text) ? E.right(Number(text)) : E.left(undefined),
)

/** `date`: the publication datetime in UNIX seconds, leading zeros allowed (G2). */
export const DueDate = timestamp(
  'DueDate',
  'Time of sending as a UNIX timestamp in seconds. Without it the notification is never sent.',
)

/** `YYYY-MM-DD HH:MM:SS`, in UTC (G1). */
export const toDateTime = (moment: Instant): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** The final outcome of a device, as the ledger holds it (G5). */
export const OUTCOMES = ['delivered', 'failed', 'dead', 'skipped'] as const
/** One of {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number]

/** How many devices ended each way. */
export type Tally = Readonly<Record<Outcome, number>>

/** The tally before the first device. */
export const NO_OUTCOMES: Tally = { delivered: 0, failed: 0, dead: 0, skipped: 0 }

/** What a notification goes through, from being written down to its end (G5, G7). */
export const DELIVERY_STATES = ['unscheduled', 'scheduled', 'sending', 'sent', 'partial', 'failed'] as const
/** One of {@link DELIVERY_STATES}. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The parts that are left out of a message that its item has made too long since it was created: its image, or its links too (G6). */
export const SHORTENED = ['', 'image', 'links'] as const
/** One of {@link SHORTENED}. */
export type Shortened = (typeof SHORTENED)[number]

/** How far a notification has come since a review took it up. */
export interface Progress {
  /** The devices that were fixed then (G4). */
  readonly recipients: number
  readonly tally: Tally
  readonly startedAt: Instant
  readonly finishedAt: O.Option<Instant>
  readonly shortened: Shortened
}

/** The delivery report of a notification (G7). */
export interface Delivery {
  readonly notificationId: NotificationId
  readonly state: DeliveryState
  readonly recipients: number
  readonly pending: number
  readonly tally: Tally
  readonly startedAt: O.Option<Instant>
  readonly finishedAt: O.Option<Instant>
  readonly shortened: Shortened
}

/** The end of a notification: dead and skipped devices, or no recipient at all, do not keep it from being sent (G7). */
export const finalState = ({ delivered, failed }: Tally): DeliveryState => {
  if (failed === 0) return 'sent'
  return delivered > 0 ? 'partial' : 'failed'
}

/** Returns the number of devices without an outcome. */
const pendingOf = ({ recipients, tally }: Pick<Progress, 'recipients' | 'tally'>): number =>
  recipients - OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0)

/** Whether every recipient has an outcome. */
export const isSettled = (progress: Pick<Progress, 'recipients' | 'tally'>): boolean =>
  pendingOf(progress) === 0

/** Returns the state of a notification (G5, G7). */
export const stateOf = (date: O.Option<Instant>, progress: O.Option<Progress>): DeliveryState => {
  if (O.isNone(progress)) return O.isNone(date) ? 'unscheduled' : 'scheduled'
  return O.isNone(progress.value.finishedAt) ? 'sending' : finalState(progress.value.tally)
}

/** The report of a notification (G5, G7). */
export const deliveryOf = (
  { id, date }: { readonly id: NotificationId; readonly date: O.Option<Instant> },
  progress: O.Option<Progress>,
): Delivery => ({
  notificationId: id,
  state: stateOf(date, progress),
  recipients: O.isSome(progress) ? progress.value.recipients : 0,
  pending: O.isSome(progress) ? pendingOf(progress.value) : 0,
  tally: O.isSome(progress) ? progress.value.tally : NO_OUTCOMES,
  startedAt: O.map(({ startedAt }: Progress) => startedAt)(progress),
  finishedAt: O.flatMap(({ finishedAt }: Progress) => finishedAt)(progress),
  shortened: O.isSome(progress) ? progress.value.shortened : '',
})

/** A part of what a notification says: NFC, and not blank. How long it may be follows from the payload's limit (G6). */
export type MessageText = Branded<string, 'MessageText'>

/** `title`: text that is shown. */
export const MessageText = refined<MessageText>(
  'MessageText',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = nfcOf(sent)
    return BLANK.test(text) ? E.left('is required') : E.right(text as MessageText)
  },
  { type: 'string', description: 'Text shown on the device.', minLength: 1, example: 'Our year in figures' },
)

/** `subtitle`, `description`: blank-only text is empty, and empty is absent (B2, B6). */
export const OptionalMessageText: Refined<MessageText | undefined> = refined<MessageText | undefined>(
  'OptionalMessageText',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = nfcOf(sent)
    return E.right(BLANK.test(text) ? undefined : (text as MessageText))
  },
  { type: 'string', description: 'Additional text shown on the device.' },
)
