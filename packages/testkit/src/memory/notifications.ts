import { compareCursors } from '@almoner/domain/content'
import {
  matchesNotification,
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type Notification,
  notificationCursor,
} from '@almoner/domain/notifications'
import type { Notifications, NotificationWithProgress } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { withReceipt } from './access.ts'
import { recordAct } from './history.ts'
import { progressOf, type Tables } from './tables.ts'
import { paginate } from './values.ts'

/** Notifications in memory. */
export const memoryNotifications = (tables: Tables): Notifications => {
  const { notifications, sendings } = tables
  const withProgress = (notification: Notification): NotificationWithProgress => ({
    notification,
    progress: O.map(progressOf)(O.fromNullable(sendings.get(notification.id))),
  })
  const inOrder = (matches: (notification: Notification) => boolean) =>
    [...notifications.values()]
      .filter(matches)
      .sort((a, b) => compareCursors(notificationCursor(a), notificationCursor(b)))
  return {
    add: (notification, receipt, act) => async () => {
      const added = withReceipt(tables, receipt, (): E.Either<never, Notification> => {
        notifications.set(notification.id, notification)
        recordAct(tables, act, { kind: 'notification', id: notification.id })
        return E.right(notification)
      })
      return E.map(() => undefined)(added)
    },
    find: (id) => TE.fromIO(() => pipe(O.fromNullable(notifications.get(id)), O.map(withProgress))),
    list: (query, window) =>
      TE.fromIO(() => {
        return paginate(inOrder(matchesNotification(query)), window, notificationCursor, compareCursors)
      }),
    remove: (id, act) => async () => {
      if (!notifications.delete(id)) return E.left(NOTIFICATION_NOT_FOUND)
      recordAct(tables, act, { kind: 'notification', id })
      return E.right(undefined)
    },
    withdraw: (id, act) => async () => {
      if (!notifications.has(id)) return E.left(NOTIFICATION_NOT_FOUND)
      if (sendings.has(id)) return E.left(NOTIFICATION_STARTED)
      notifications.delete(id)
      recordAct(tables, act, { kind: 'notification', id })
      return E.right(undefined)
    },
    dated: ({ from, to, most }) =>
      TE.fromIO(() =>
        inOrder(({ date }) => O.isSome(date) && date.value >= from && date.value <= to)
          .slice(0, most)
          .map(withProgress),
      ),
    purge: () =>
      TE.fromIO(() => {
        const left = [...sendings.keys()].filter((id) => !notifications.has(id))
        for (const id of left) sendings.delete(id)
        return left.length
      }),
  }
}
