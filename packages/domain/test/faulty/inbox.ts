import type { InboxCursor, InboxEntry, InboxQuery } from '@almoner/domain/delivery'
import { addMillis, type Instant, listingOf, type ResultSet } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

type Fault = Faults<'inbox'>['inbox'][string][1]

/** Changes the entries of each page. */
const paged =
  (change: (all: ReadonlyArray<InboxEntry>) => ReadonlyArray<InboxEntry>): Fault =>
  ({ list }) => ({
    list: returning(
      list,
      ({ loaded = [], next, ...rest }): ResultSet<InboxEntry, InboxCursor> => ({
        ...rest,
        ...listingOf(change(loaded), next),
      }),
    ),
  })

const queried =
  (change: (query: InboxQuery) => InboxQuery): Fault =>
  ({ list, markSeen }) => ({
    list: (query, ...more) => list(change(query), ...more),
    markSeen: (query, ...more) => markSeen(change(query), ...more),
  })

const AN_HOUR = 3_600_000

/** Faults of inboxes. */
export const INBOX_FAULTS: Faults<'inbox'> = {
  inbox: {
    'lists the earliest start first': [
      'F7, C11: entries come by start, latest first',
      paged((all) => all.toReversed()),
    ],
    'names no next page': [
      'F7, C11: entries come by start, latest first, and pages walk',
      ({ list }) => ({ list: returning(list, (page) => ({ ...page, next: O.none })) }),
    ],
    'repeats the first page': [
      'F7, C11: entries come by start, latest first, and pages walk',
      ({ list }) => {
        let pages = 0
        return {
          list: (query, window, ...more) => {
            pages += 1
            return list(query, pages === 3 ? { ...window, after: O.none } : window, ...more)
          },
        }
      },
    ],
    'counts the entries of the page': [
      'F7, J5: the total counts all entries',
      ({ list }) => ({
        list: returning(list, ({ total, ...page }) =>
          total === undefined ? page : { ...page, total: page.loaded?.length ?? 0 },
        ),
      }),
    ],
    'gives the date for the start': [
      'F7: an entry has all fields of its notification',
      paged((all) =>
        all.map((one) => ({ ...one, startedAt: O.getOrElse(() => one.startedAt)(one.notification.date) })),
      ),
    ],
    'keeps old notifications for an hour longer': [
      'F7: only notifications that were started, are not deleted and not too old',
      queried(({ startedAfter, ...rest }) => ({ ...rest, startedAfter: addMillis(startedAfter, -AN_HOUR) })),
    ],
    'goes by the present language': [
      'F7: language and topics decide as of the start',
      ({ list }, { users }) => ({
        list:
          (query, ...more) =>
          async () => {
            const found = await list(query, ...more)()
            const user = await users.find(query.email)()
            if (E.isLeft(found) || E.isLeft(user) || O.isNone(user.right)) return found
            const { lang } = user.right.value
            const now = (found.right.loaded ?? []).filter(({ notification }) => notification.lang === lang)
            return E.right(listingOf(now, found.right.next))
          },
      }),
    ],
    'goes by the present topics': [
      'F7, F6: a label that a load removes leaves',
      ({ list }, { users }) => ({
        list:
          (query, ...more) =>
          async () => {
            const found = await list(query, ...more)()
            const user = await users.find(query.email)()
            if (E.isLeft(found) || E.isLeft(user) || O.isNone(user.right)) return found
            const { topics } = user.right.value
            const now = (found.right.loaded ?? []).filter(
              ({ notification: { labelId } }) =>
                topics.length > 0 || O.isNone(labelId) || String(labelId.value) !== 'water',
            )
            return E.right(listingOf(now, found.right.next))
          },
      }),
    ],
    'shows nothing to unsubscribed people': [
      'F7: people have an inbox since they are known, subscribed',
      ({ list }, { users }) => ({
        list:
          (query, ...more) =>
          async () => {
            const user = await users.find(query.email)()
            const isOut = E.isRight(user) && O.isSome(user.right) && !user.right.value.subscribed
            return isOut ? E.right(listingOf([], O.none)) : list(query, ...more)()
          },
      }),
    ],
    'keeps the latest moment': [
      'F7: the first moment of a mark stays',
      ({ markSeen }) => ({ markSeen: returning(markSeen, (_first, _query, { seenAt }) => seenAt) }),
    ],
    'shows the marks of others': [
      'F7: the first moment of a mark stays',
      ({ list, markSeen }) => {
        const seen = new Map<string, Instant>()
        return {
          markSeen: returning(markSeen, (first, _query, { notificationId }) => {
            seen.set(notificationId, first)
            return first
          }),
          list: returning(list, ({ loaded = [], next }) =>
            listingOf(
              loaded.map((one) => ({ ...one, seenAt: O.fromNullable(seen.get(one.notification.id)) })),
              next,
            ),
          ),
        }
      },
    ],
    'counts one mark at most': [
      'F7: the first moment of a mark stays',
      ({ countSeen }) => ({ countSeen: returning(countSeen, (count) => Math.min(count, 1)) }),
    ],
    'gives each of concurrent marks the moment that it names': [
      'F7: of concurrent marks one is the first',
      ({ markSeen }) => ({ markSeen: returning(markSeen, (_first, _query, { seenAt }) => seenAt) }),
    ],
    'marks what was not meant for the person': [
      'F7: what was not meant for the person is not found',
      ({ markSeen }) => ({
        markSeen: (query, mark, reader) =>
          TE.orElseW(() => TE.right(mark.seenAt))(markSeen(query, mark, reader)),
      }),
    ],
    'ignores the end of a binding': [
      'L1: only a caller who is still bound to the person marks',
      ({ markSeen }) => ({ markSeen: (query, mark) => markSeen(query, mark) }),
    ],
    'forgets no former preferences': [
      'F7: former preferences stay as long as a notification needs them',
      () => ({ purgePreferences: () => TE.right(0) }),
    ],
    'forgets former preferences that are needed': [
      'F7: former preferences stay as long as a notification needs them',
      ({ purgePreferences }) => ({
        purgePreferences: (startedBy) => purgePreferences(addMillis(startedBy, AN_HOUR)),
      }),
    ],
    'counts marks of deleted notifications': [
      'F7, G8: marks stay with the report, and go with the notification',
      ({ countSeen }) => {
        const counts = new Map<string, number>()
        return {
          countSeen: returning(countSeen, (count, id) => {
            const most = Math.max(count, counts.get(id) ?? 0)
            counts.set(id, most)
            return most
          }),
        }
      },
    ],
    'shows the latest entry only': [
      'F7, G4: subscribed people with a device find what went to it',
      paged((all) => all.slice(0, 1)),
    ],
  },
}
