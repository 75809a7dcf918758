import type { TimedAct } from '@almoner/domain/access'
import {
  COUNTERPART_NOT_FOUND,
  type CounterpartNotFound,
  checkPrecondition,
  compareCursors,
  LABEL_NOT_FOUND,
  type LabelNotFound,
  type PreconditionFailed,
} from '@almoner/domain/content'
import {
  type ChangedAnnouncement,
  matchesNotification,
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type Notification,
  type NotificationNotFound,
  notificationCursor,
  type Standing,
  tieFaults,
} from '@almoner/domain/notifications'
import type {
  NotificationChange,
  Notifications,
  NotificationWithProgress,
  Removal,
} from '@almoner/domain/ports'
import {
  type LabelId,
  type NotificationId,
  type ValidationFailed,
  validationFailed,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { withReceipt } from './access.ts'
import { recordAct } from './history.ts'
import { dropNotification, progressOf, type Tables, untie } from './tables.ts'
import { paginate } from './values.ts'

/** Notifications in memory. */
export const memoryNotifications = (tables: Tables): Notifications => {
  const { announcements, notifications, sendings } = tables
  const progressIn = (id: NotificationId) => O.map(progressOf)(O.fromNullable(sendings.get(id)))
  const withProgress = (notification: Notification): NotificationWithProgress => ({
    notification,
    progress: progressIn(notification.id),
  })
  const inOrder = (matches: (notification: Notification) => boolean) =>
    [...notifications.values()]
      .filter(matches)
      .sort((a, b) => compareCursors(notificationCursor(a), notificationCursor(b)))
  const standing = (id: NotificationId | undefined): O.Option<Standing> =>
    pipe(
      O.fromNullable(id === undefined ? undefined : notifications.get(id)),
      O.map((notification) => ({ notification, isStarted: sendings.has(notification.id) })),
    )
  const tie = (id: NotificationId, other: NotificationId | undefined): void => {
    untie(tables, id)
    if (other === undefined) return
    untie(tables, other)
    announcements.set(id, other).set(other, id)
  }
  const forget = (id: NotificationId, act: TimedAct | undefined): void => {
    dropNotification(tables, id)
    recordAct(tables, act, { kind: 'notification', id })
  }
  const write = (
    { own, moved, counterpartId }: ChangedAnnouncement,
    act: TimedAct | undefined,
  ): Notification => {
    const [before, after] = [announcements.get(own.id), O.toUndefined(counterpartId)]
    if (before !== after) tie(own.id, after)
    for (const one of [own, ...(O.isSome(moved) ? [moved.value] : [])]) {
      const isChanged = one.revision !== notifications.get(one.id)?.revision
      notifications.set(one.id, one)
      if (isChanged || (one.id === own.id && before !== after))
        recordAct(tables, act, { kind: 'notification', id: one.id })
    }
    return own
  }
  const changed = <F>(
    id: NotificationId,
    { counterpartId, labelId, decide }: NotificationChange<F>,
    act: TimedAct | undefined,
  ): E.Either<F | LabelNotFound | NotificationNotFound, Notification> => {
    const own = standing(id)
    if (O.isNone(own)) return E.left(NOTIFICATION_NOT_FOUND)
    if (!isKnown(labelId)) return E.left(LABEL_NOT_FOUND)
    const named = standing(O.toUndefined(counterpartId))
    return pipe(
      decide({ own: own.value, counterpart: standing(announcements.get(id)), named }),
      E.map((decided) => write(decided, act)),
    )
  }
  const removed = (
    id: NotificationId,
    act: TimedAct | undefined,
    { both, expected }: Removal = { both: false, expected: O.none },
  ): E.Either<NotificationNotFound | PreconditionFailed, void> => {
    const notification = notifications.get(id)
    if (notification === undefined) return E.left(NOTIFICATION_NOT_FOUND)
    const checked = checkPrecondition(expected)(notification)
    if (E.isLeft(checked)) return checked
    const other = both ? announcements.get(id) : undefined
    for (const one of other === undefined ? [id] : [id, other]) forget(one, act)
    return E.right(undefined)
  }
  const isKnown = (labelId: O.Option<LabelId>): boolean =>
    O.isNone(labelId) || tables.labels.some((label) => label.labelId === labelId.value)
  /** Whether a notification can be tied to another one. */
  const tiesTo = (
    notification: Notification,
    counterpartId: NotificationId | undefined,
  ): E.Either<CounterpartNotFound | LabelNotFound | ValidationFailed, void> => {
    if (!isKnown(notification.labelId)) return E.left(LABEL_NOT_FOUND)
    const other = standing(counterpartId)
    if (O.isNone(other))
      return counterpartId === undefined ? E.right(undefined) : E.left(COUNTERPART_NOT_FOUND)
    const [first, ...rest] = tieFaults(notification, other.value.notification)
    return first === undefined ? E.right(undefined) : E.left(validationFailed([first, ...rest]))
  }
  return {
    add: (notification, receipt, act, counterpartId) => async () => {
      const added = withReceipt(tables, receipt, () =>
        pipe(
          tiesTo(notification, counterpartId),
          E.map(() => {
            notifications.set(notification.id, notification)
            tie(notification.id, counterpartId)
            recordAct(tables, act, { kind: 'notification', id: notification.id })
            return notification
          }),
        ),
      )
      return E.map(() => undefined)(added)
    },
    change: (id, change, receipt, act) => async () =>
      withReceipt(tables, receipt, () => changed(id, change, act)),
    counterparts: (ids) =>
      TE.fromIO(
        () =>
          new Map(
            ids.flatMap((id) => {
              const counterpart = notifications.get(announcements.get(id) ?? id)
              return counterpart === undefined || counterpart.id === id
                ? []
                : [[id, withProgress(counterpart)] as const]
            }),
          ),
      ),
    find: (id) => TE.fromIO(() => pipe(O.fromNullable(notifications.get(id)), O.map(withProgress))),
    list: (query, window) =>
      TE.fromIO(() => {
        const matches = matchesNotification(query)
        const found = inOrder((one) => matches(one, progressIn(one.id)))
        return paginate(found, window, notificationCursor, compareCursors)
      }),
    remove: (id, act, removal) => async () => removed(id, act, removal),
    withdraw: (id, act) => async () => {
      if (!notifications.has(id)) return E.left(NOTIFICATION_NOT_FOUND)
      if (sendings.has(id)) return E.left(NOTIFICATION_STARTED)
      forget(id, act)
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
