import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Act } from '../access/acts.ts'
import { type Cursor, cursorCodec } from '../content/finding.ts'
import type { Notification } from '../notifications/model.ts'
import { type Audience, isForReader, type User } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import type { NotificationId } from '../values/ids.ts'
import { type Instant, instant } from '../values/time.ts'

/**
 * The language and the topics of a person in some epochs (F7). An epoch ends with each start of a notification (G4), so what a person prefers at
 * a start is what was preferred in the epoch that it ends.
 */
export interface PreferenceStretch extends Pick<User, 'lang' | 'topics'> {
  readonly since: number
  /** The first epoch after it; none for the preference in force. */
  readonly until: O.Option<number>
}

/** The preferences of a person since the person is known, one after the other. */
export type PreferenceHistory = ReadonlyArray<PreferenceStretch>

/** What of a notification decides whom it was meant for: its audience, and the epoch that its start ended. */
export interface StartedAudience extends Audience {
  readonly epoch: number
}

/** Returns whether a notification was meant for a person by language and topic as of its start, subscribed or not (F7). */
export const meantFor = (history: PreferenceHistory, { epoch, ...audience }: StartedAudience): boolean =>
  history.some(
    (stretch) =>
      stretch.since <= epoch &&
      (O.isNone(stretch.until) || epoch < stretch.until.value) &&
      isForReader(stretch, audience),
  )

const isSame = (a: Pick<User, 'lang' | 'topics'>, b: Pick<User, 'lang' | 'topics'>): boolean =>
  a.lang === b.lang && a.topics.length === b.topics.length && a.topics.every((id, at) => id === b.topics[at])

/** Adds the preference of an epoch to a history. One under which no notification can have started leaves no trace (F7). */
export const withPreferenceFrom = (
  history: PreferenceHistory,
  { lang, topics }: Pick<User, 'lang' | 'topics'>,
  epoch: number,
): PreferenceHistory => {
  const last = history.at(-1)
  const now: PreferenceStretch = { lang, topics, since: epoch, until: O.none }
  if (last === undefined) return [now]
  if (isSame(last, now)) return history
  const before = history.slice(0, -1)
  return last.since < epoch ? [...before, { ...last, until: O.some(epoch) }, now] : [...before, now]
}

/** The inbox of a person: notifications that were started after a moment. */
export interface InboxQuery {
  readonly email: Email
  readonly startedAfter: Instant
}

/** A notification in an inbox. */
export interface InboxEntry {
  readonly notification: Notification
  readonly startedAt: Instant
  /** When the person first marked it as seen. */
  readonly seenAt: O.Option<Instant>
}

/** By start, latest first; of one start the latest made first (F7). The key is the moment of the start. */
export type InboxCursor = Cursor<Instant>

/** Where an entry stands in its inbox. */
export const inboxCursor = ({
  notification: { id },
  startedAt,
}: Pick<InboxEntry, 'startedAt'> & { readonly notification: Pick<Notification, 'id'> }): InboxCursor => ({
  key: startedAt,
  id,
})

/** Reads the place after which a page of an inbox begins, from the text that `encodeCursor` made of it (C11). */
export const InboxCursor = cursorCodec<Instant>('InboxCursor', (text) =>
  /^-?\d{1,15}$/.test(text) ? E.right(instant(Number(text))) : E.left(undefined),
)

/** The first moment at which a person saw a notification. */
export interface SeenMark {
  readonly notificationId: NotificationId
  readonly seenAt: Instant
}

/** Who reads an inbox, and the binding by which the reader is its person (L1). */
export type InboxReader = Pick<Act, 'actor' | 'boundTo' | 'boundBy'>
