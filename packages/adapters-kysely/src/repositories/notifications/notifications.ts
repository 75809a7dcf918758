import {
  NOTIFICATION_NOT_FOUND,
  type NothingDone,
  type NotificationNotFound,
  type Notifications,
  type NotificationWithProgress,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { purging } from '../../database/purging.ts'
import type { Runner } from '../../database/runner.ts'
import { abandon } from '../deliveries/abandon.ts'
import { progressOf } from '../deliveries/progress.ts'
import { keepReceipt } from '../idempotency/keep-receipt.ts'
import { makeList } from '../items/list.ts'
import { makeReading } from '../items/reading.ts'
import { makeRows } from '../items/rows.ts'
import { findNotification, notificationRow, notificationTable } from './notification-table.ts'
import { purge } from './purge.ts'

/** Notifications, and how far each has come (G3, G7). */
export const makeNotifications = (runner: Runner): Notifications => ({
  add: (notification, receipt) =>
    runner.write(async (db): Promise<E.Either<NothingDone, void>> => {
      await db.insertInto('notification').values(notificationRow(notification)).execute()
      return E.map(() => undefined)(await keepReceipt(db, receipt, notification))
    }),

  find: (id) =>
    runner.read(async (db): Promise<O.Option<NotificationWithProgress>> => {
      const notification = await findNotification(db, id)
      if (O.isNone(notification)) return O.none
      return O.some({ notification: notification.value, progress: await progressOf(db, id) })
    }),

  list: makeList(runner, notificationTable, makeReading(notificationTable, makeRows(notificationTable))),

  remove: (id) =>
    runner.write(async (db): Promise<E.Either<NotificationNotFound, void>> => {
      const gone = await db.deleteFrom('notification').where('id', '=', id).returning('id').executeTakeFirst()
      if (gone === undefined) return E.left(NOTIFICATION_NOT_FOUND)
      await abandon(db, [id])
      return E.right(undefined)
    }),

  purge: () => purging(runner, (db) => purge(db, runner.dialect)),
})
