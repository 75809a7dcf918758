import { compareCursors } from '@almoner/domain/content'
import { type InboxEntry, type InboxQuery, inboxCursor, meantFor } from '@almoner/domain/delivery'
import { NOTIFICATION_NOT_FOUND } from '@almoner/domain/notifications'
import { NO_ACTING_USER } from '@almoner/domain/people'
import type { Inbox } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStillBound } from './access.ts'
import type { Tables } from './tables.ts'
import { paginate } from './values.ts'

/** The notifications that were meant for a person, in order. */
const entriesOf = (
  { notifications, preferences, seen, sendings }: Tables,
  { email, startedAfter }: InboxQuery,
): ReadonlyArray<InboxEntry> => {
  const history = preferences.get(email) ?? []
  return [...sendings]
    .flatMap(([id, { audience, startedAt }]): ReadonlyArray<InboxEntry> => {
      const notification = notifications.get(id)
      if (notification === undefined || startedAt <= startedAfter || !meantFor(history, audience)) return []
      return [{ notification, startedAt, seenAt: O.fromNullable(seen.get(id)?.get(email)) }]
    })
    .sort((a, b) => compareCursors(inboxCursor(a), inboxCursor(b)))
}

/** Deletes the former preferences that no notification needs which was started after a moment. */
const purge = ({ notifications, preferences, sendings }: Tables, startedBy: Instant): number => {
  const needed = [...sendings].flatMap(([id, { audience, startedAt }]) =>
    notifications.has(id) && startedAt > startedBy ? [audience.epoch] : [],
  )
  const first = Math.min(...needed)
  let gone = 0
  for (const [email, history] of preferences) {
    const kept = history.filter(({ until }) => O.isNone(until) || until.value > first)
    gone += history.length - kept.length
    preferences.set(email, kept)
  }
  return gone
}

/** Inboxes in memory. */
export const memoryInbox = (tables: Tables): Inbox => ({
  list: (query, window, isCounted = false) =>
    TE.fromIO(() => {
      const entries = entriesOf(tables, query)
      const page = paginate(entries, window, inboxCursor, compareCursors)
      return isCounted ? { ...page, total: entries.length } : page
    }),
  markSeen:
    (query, { notificationId, seenAt }, reader) =>
    async () => {
      if (!isStillBound(tables, reader)) return E.left(NO_ACTING_USER)
      const entry = entriesOf(tables, query).find(({ notification }) => notification.id === notificationId)
      if (entry === undefined) return E.left(NOTIFICATION_NOT_FOUND)
      if (O.isSome(entry.seenAt)) return E.right(entry.seenAt.value)
      const marks = tables.seen.get(notificationId) ?? new Map()
      tables.seen.set(notificationId, marks.set(query.email, seenAt))
      return E.right(seenAt)
    },
  countSeen: (id) => TE.fromIO(() => tables.seen.get(id)?.size ?? 0),
  purgePreferences: (startedBy) => TE.fromIO(() => purge(tables, startedBy)),
})
