import {
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationCursor,
  notificationCursor,
} from '@almoner/domain/notifications'
import type { Notifications } from '@almoner/domain/ports'
import {
  addMillis,
  collect,
  listingOf,
  type NotificationId,
  type PageRequest,
  type ResultSet,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'

type Page = ResultSet<Notification, NotificationCursor>

const paged =
  (
    change: (all: ReadonlyArray<Notification>) => ReadonlyArray<Notification>,
  ): Faults<'notifications'>['notifications'][string][1] =>
  ({ list }) => ({
    list: returning(list, (page): Page => listingOf(change(page.loaded ?? []), page.next)),
  })

const windowed =
  (
    change: (window: PageRequest<NotificationCursor>) => PageRequest<NotificationCursor>,
  ): Faults<'notifications'>['notifications'][string][1] =>
  ({ list }) => ({ list: (query, window) => list(query, change(window)) })

/** Faults of notifications and their retention. */
export const NOTIFICATION_FAULTS: Faults<'notifications' | 'retention'> = {
  notifications: {
    'loses the subtitle': [
      'an added notification is found with all its fields',
      ({ add }) => ({ add: (notification, ...more) => add({ ...notification, subtitle: O.none }, ...more) }),
    ],
    'lists notifications without their subtitles': [
      'G3: notifications are listed by date',
      paged((all) => all.map((one) => ({ ...one, subtitle: O.none }))),
    ],
    'lists undated notifications first': [
      'G3: notifications are listed by date, latest first, undated last',
      paged((all) => [
        ...all.filter(({ date }) => O.isNone(date)),
        ...all.filter(({ date }) => O.isSome(date)),
      ]),
    ],
    'lists the earliest date first': [
      'G3: notifications are listed by date',
      paged((all) => all.toReversed()),
    ],
    'ignores the language': [
      'G3: lang filters the list',
      ({ list }) => ({ list: (_, window) => list({ lang: O.none }, window) }),
    ],
    'has a page after the last one': [
      'G3, C11: following the cursors',
      ({ list }) => ({
        list: returning(list, (page) => ({
          ...page,
          next: O.map(notificationCursor)(O.fromNullable(page.loaded?.at(-1))),
        })),
      }),
    ],
    'skips one notification too few': [
      'G3, B4: offset skips that many notifications',
      windowed((window) => ({ ...window, offset: Math.max(0, window.offset - 1) })),
    ],
    'ignores the offset after a cursor': [
      'G3, B4: offset skips that many notifications',
      windowed((window) => (O.isSome(window.after) ? { ...window, offset: 0 } : window)),
    ],
    'reads the collection while it is written': [
      'C12: without lim the collection is one snapshot',
      ({ list }) => ({
        list: (query, window) => {
          const batches = async function* () {
            for (let offset = 0, more = true; more; offset += 100) {
              const page = await list(query, { lim: O.some(100), offset, after: window.after })()
              if (E.isLeft(page)) throw new Error('unavailable')
              more = O.isSome(page.right.next)
              yield await collect(page.right)
            }
          }
          return O.isSome(window.lim) ? list(query, window) : TE.right({ batches: batches(), next: O.none })
        },
      }),
    ],
    'leaves out the end of a range of dates': [
      'G7: notifications of a range of dates',
      ({ dated }) => ({ dated: (range) => dated({ ...range, to: addMillis(range.to, -1) }) }),
    ],
    'returns the whole range of dates': [
      'G7: notifications of a range of dates',
      ({ dated }) => ({ dated: (range) => dated({ ...range, most: 1000 }) }),
    ],
    'keeps a deleted notification': [
      'G3: deleting a notification removes it',
      () => ({ remove: () => TE.right(undefined) }),
    ],
    'deletes a notification any number of times': [
      'G3: of two concurrent deletions of a notification, one succeeds',
      ({ remove }) => ({
        remove: (...given) => ignoring('NotificationNotFound')(remove(...given)),
      }),
    ],
    'withdraws what is being sent': [
      'G3: a notification that is started is not withdrawn',
      ({ remove }) => ({
        withdraw: (...given) => remove(...given) as ReturnType<Notifications['withdraw']>,
      }),
    ],
    'withdraws nothing': [
      'G3: a notification that is not started is withdrawn',
      () => ({ withdraw: () => TE.left(NOTIFICATION_NOT_FOUND) }),
    ],
    'finds no progress': [
      'G7: a notification without recipients is finished at once',
      ({ find }) => ({
        find: returning(
          find,
          O.map((found) => ({ ...found, progress: O.none })),
        ),
      }),
    ],
    'purges notifications': [
      'the purge deletes the rows of a deleted notification in steps, and nothing else',
      ({ list, purge, remove }) => ({
        purge: () => async () => {
          const all = await list({ lang: O.none }, WHOLE_COLLECTION)()
          if (E.isRight(all)) for (const { id } of await collect(all.right)) await remove(id)()
          return purge()()
        },
      }),
    ],
    'stores no receipt': [
      'I4: adding a notification stores its key and its response',
      ({ add }) => ({ add: (notification, _, act) => add(notification, undefined, act) }),
    ],
    'stores the receipt in another transaction': [
      'I4: of two concurrent writes with one key, one is done',
      ({ add }) => ({
        add: (notification, receipt, act) =>
          pipe(
            add(notification, undefined, act),
            TE.flatMap(() => (receipt ? add(notification, receipt) : TE.right(undefined))),
          ),
      }),
    ],
    'changes nothing': [
      'G13: a change writes every value and the next revision',
      ({ change, find }) => ({
        change: (id, asked, receipt, act) =>
          pipe(
            find(id),
            TE.flatMap((found) =>
              O.isSome(found) ? TE.right(found.value.notification) : change(id, asked, receipt, act),
            ),
          ),
      }),
    ],
    'changes what is being sent': [
      'G13: a notification that a review has taken up does not change',
      ({ change }) => ({
        change: (id, { decide, ...asked }, ...more) =>
          change(
            id,
            { ...asked, decide: (found) => decide({ ...found, own: { ...found.own, isStarted: false } }) },
            ...more,
          ),
      }),
    ],
    'deletes any revision': [
      'C10, G13: a change or a deletion for another revision changes nothing',
      ({ remove }) => ({
        remove: (id, act, removal) => remove(id, act, removal && { ...removal, expected: O.none }),
      }),
    ],
    'stores no receipt of a change': [
      'I4: a change stores its key and its response',
      ({ change }) => ({ change: (id, asked, _, act) => change(id, asked, undefined, act) }),
    ],
    'ties no new notification': [
      'G14: two notifications are tied from both sides',
      ({ add }) => ({ add: (notification, receipt, act) => add(notification, receipt, act) }),
    ],
    'knows ties from one side': [
      'G14: two notifications are tied from both sides',
      ({ counterparts }) => ({
        counterparts: returning(
          counterparts,
          (found) => new Map([...found].filter(([, { notification }]) => notification.lang === 'fr')),
        ),
      }),
    ],
    'ties notifications of one language': [
      'G14: a tie needs another language',
      ({ add }) => ({
        add: (notification, receipt, act, counterpartId) =>
          pipe(
            add(notification, receipt, act, counterpartId),
            TE.orElse((fault) =>
              fault._tag === 'ValidationFailed' ? add(notification, receipt, act) : TE.left(fault),
            ),
          ),
      }),
    ],
    'moves one of two': [
      'G14: both move together, or neither does',
      ({ change }) => ({
        change: (id, { decide, ...asked }, ...more) =>
          change(
            id,
            {
              ...asked,
              decide: (found) =>
                pipe(
                  decide(found),
                  E.map((changed) => ({ ...changed, moved: O.none })),
                ),
            },
            ...more,
          ),
      }),
    ],
    'moves one although the other is being sent': [
      'G14: both move together, or neither does',
      ({ change }) => ({
        change: (id, { decide, ...asked }, ...more) =>
          change(id, { ...asked, decide: (found) => decide({ ...found, counterpart: O.none }) }, ...more),
      }),
    ],
    'deletes one of two': [
      'G14: both are deleted together',
      ({ remove }) => ({
        remove: (id, act, removal) => remove(id, act, removal && { ...removal, both: false }),
      }),
    ],
    'leaves no record of a change': [
      'K1: each notification that changes leaves a record',
      ({ change }) => ({ change: (id, asked, receipt) => change(id, asked, receipt) }),
    ],
    'ignores the publication': [
      'G14: resourceId and state filter the list',
      ({ list }) => ({ list: ({ resourceId: _, ...query }, window) => list(query, window) }),
    ],
    'ignores the state': [
      'G14: resourceId and state filter the list',
      ({ list }) => ({ list: ({ state: _, ...query }, window) => list(query, window) }),
    ],
    'forgets ties when it moves': [
      'G14: after any changes a tie is symmetric',
      ({ change }) => ({
        change: (id, { decide, ...asked }, ...more) =>
          change(
            id,
            {
              ...asked,
              decide: (found) =>
                pipe(
                  decide(found),
                  E.map((changed) =>
                    O.isSome(changed.moved) ? { ...changed, counterpartId: O.none } : changed,
                  ),
                ),
            },
            ...more,
          ),
      }),
    ],
    'leaves no record of a withdrawn notification': [
      'K1: notifications, clients and the portfolio leave records',
      ({ withdraw }) => ({ withdraw: (id) => withdraw(id) }),
    ],
  },
  retention: {
    'deletes younger rows': [
      'G8: per-device rows of notifications that ended long ago',
      ({ purgeDeliveries }) => ({ purgeDeliveries: (endedBy) => purgeDeliveries(addMillis(endedBy, 1000)) }),
    ],
    'deletes the notification with its rows': [
      'and the report’s totals stay',
      ({ purgeDeliveries, purgeNotifications }) => ({
        purgeDeliveries: (endedBy) =>
          pipe(
            purgeDeliveries(endedBy),
            TE.flatMap((count) =>
              pipe(
                purgeNotifications(endedBy),
                TE.map(() => count),
              ),
            ),
          ),
      }),
    ],
    'deletes notifications that are being sent': [
      'G8: only notifications that ended long ago are deleted',
      (_, { notifications }) => ({
        purgeNotifications: () => async () => {
          const all = await notifications.list({ lang: O.none }, WHOLE_COLLECTION)()
          if (E.isLeft(all)) return all
          const ids: ReadonlyArray<NotificationId> = (await collect(all.right)).map(({ id }) => id)
          for (const id of ids) await notifications.remove(id)()
          return E.right(ids.length)
        },
      }),
    ],
    'keeps notifications that ended at that moment': [
      'G8: only notifications that ended long ago are deleted',
      ({ purgeNotifications }) => ({
        purgeNotifications: (endedBy) => purgeNotifications(addMillis(endedBy, -1)),
      }),
    ],
    'knows no oldest end': [
      'G8: per-device rows',
      () => ({ oldestEnded: () => TE.right({ deliveryRows: O.none, notification: O.none }) }),
    ],
  },
}
