import {
  NOTIFICATION_NOT_FOUND,
  type NothingDone,
  type NotificationNotFound,
  type Notifications,
  type NotificationWithProgress,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from '../../database/database.ts'
import { purging } from '../../database/purging.ts'
import { makeList } from '../collections/list.ts'
import { abandon } from '../deliveries/abandon.ts'
import { progressOf } from '../deliveries/progress.ts'
import { keepReceipt } from '../idempotency/keep-receipt.ts'
import { findNotification, notificationRow, notificationTable } from './notification-table.ts'
import { purge } from './purge.ts'

/** Notifications, and how far each has come (G3, G7). */
export const makeNotifications = (database: Database): Notifications => ({
  add: (notification, receipt) =>
    database.write(async (db): Promise<E.Either<NothingDone, void>> => {
      await db.insertInto('notification').values(notificationRow(notification)).execute()
      return E.map(() => undefined)(await keepReceipt(db, receipt, notification))
    }),

  find: (id) =>
    database.read(async (db): Promise<O.Option<NotificationWithProgress>> => {
      const notification = await findNotification(db, id)
      if (O.isNone(notification)) return O.none
      return O.some({ notification: notification.value, progress: await progressOf(db, id) })
    }),

  list: makeList(database, notificationTable),

  remove: (id) =>
    database.write(async (db): Promise<E.Either<NotificationNotFound, void>> => {
      const gone = await db.deleteFrom('notification').where('id', '=', id).returning('id').executeTakeFirst()
      if (gone === undefined) return E.left(NOTIFICATION_NOT_FOUND)
      await abandon(db, [id])
      return E.right(undefined)
    }),

  purge: () => purging(database, (db) => purge(db, database.dialect)),
})
