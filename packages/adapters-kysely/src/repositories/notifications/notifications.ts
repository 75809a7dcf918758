import {
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type NotificationNotFound,
  type NotificationStarted,
} from '@almoner/domain/notifications'
import type { NothingDone, Notifications, NotificationWithProgress } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db, SqlDialect } from '../../database/database.ts'
import { purging } from '../../database/writes.ts'
import { NOTIFICATION_COLUMNS } from '../../schema/notification.table.ts'
import { makeList } from '../collections/ordered-table.ts'
import { abandon, PROGRESS_COLUMNS, progressIn, progressOf } from '../deliveries/delivery-rows.ts'
import { clearRows } from '../deliveries/retention.ts'
import { endEpoch } from '../devices/epoch.ts'
import { recordAct } from '../history/record-act.ts'
import { keepReceipt } from '../idempotency-keys.ts'
import { findNotification, notificationRow, notificationTable } from './notification-table.ts'

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/**
 * Deletes some of the rows of a deleted notification's delivery, the delivery itself last; returns their number. Ends the epoch first, so that
 * no transaction that saw the delivery open can still add rows.
 */
export const purge = async (db: Db, dialect: SqlDialect): Promise<number> => {
  const delivery = await db
    .selectFrom('delivery')
    .select('id')
    .where('notification_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (delivery === undefined) return 0
  await endEpoch(db, dialect)
  const gone = await clearRows(db, delivery.id, PURGE)
  if (gone >= PURGE) return gone
  await db.deleteFrom('delivery').where('id', '=', delivery.id).execute()
  return gone + 1
}

/** Notifications, and how far each has come (G3, G7). */
export const makeNotifications = (database: Database): Notifications => ({
  add: (notification, receipt, act) =>
    database.write(async (db): Promise<E.Either<NothingDone, void>> => {
      await db.insertInto('notification').values(notificationRow(notification)).execute()
      await recordAct(db, act, { kind: 'notification', id: notification.id })
      return E.map(() => undefined)(await keepReceipt(db, receipt, notification))
    }),

  find: (id) =>
    database.read(async (db): Promise<O.Option<NotificationWithProgress>> => {
      const notification = await findNotification(db, id)
      if (O.isNone(notification)) return O.none
      return O.some({ notification: notification.value, progress: await progressOf(db, id) })
    }),

  list: makeList(database, notificationTable),

  dated: ({ from, to, most }) =>
    database.read(async (db): Promise<ReadonlyArray<NotificationWithProgress>> => {
      const rows = await db
        .selectFrom('notification')
        .leftJoin('delivery', 'delivery.notification_id', 'notification.id')
        .select(NOTIFICATION_COLUMNS.map((column) => `notification.${column}` as const))
        .select(PROGRESS_COLUMNS.map((column) => `delivery.${column}` as const))
        .where('notification.due', '>=', from)
        .where('notification.due', '<=', to)
        .orderBy('notification.due', 'desc')
        .orderBy('notification.id', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => ({ notification: notificationTable.fromRow(row), progress: progressIn(row) }))
    }),

  remove: (id, act) =>
    database.write(async (db): Promise<E.Either<NotificationNotFound, void>> => {
      const gone = await db.deleteFrom('notification').where('id', '=', id).returning('id').executeTakeFirst()
      if (gone === undefined) return E.left(NOTIFICATION_NOT_FOUND)
      await abandon(db, [id])
      await recordAct(db, act, { kind: 'notification', id })
      return E.right(undefined)
    }),

  withdraw: (id, act) =>
    database.write(async (db): Promise<E.Either<NotificationNotFound | NotificationStarted, void>> => {
      const gone = await db
        .deleteFrom('notification')
        .where('id', '=', id)
        .where('started', '=', 0)
        .returning('id')
        .executeTakeFirst()
      if (gone === undefined) {
        const isThere = O.isSome(await findNotification(db, id))
        return E.left(isThere ? NOTIFICATION_STARTED : NOTIFICATION_NOT_FOUND)
      }
      await recordAct(db, act, { kind: 'notification', id })
      return E.right(undefined)
    }),

  purge: () => purging(database, (db) => purge(db, database.dialect)),
})
