import type { Cursor } from '@almoner/domain/content'
import {
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type Notification,
  type NotificationNotFound,
  type NotificationQuery,
  type NotificationStarted,
  notificationCursor,
  UNDATED,
} from '@almoner/domain/notifications'
import type { NothingDone, Notifications, NotificationWithProgress } from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt } from '../access/tokens.ts'
import { newestFirst } from '../content/select-items.ts'
import { condition, type Database, type Db, type SqlDialect } from '../database/database.ts'
import { makeList, type OrderedTable } from '../database/ordered-table.ts'
import { purging } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { endEpoch } from '../people/audience.ts'
import {
  NOTIFICATION_COLUMNS,
  type NotificationRow,
  type StoredNotification,
} from '../schema/notification.table.ts'
import { clearRows } from './retention.ts'
import { abandon, PROGRESS_COLUMNS, progressIn, progressOf } from './rows.ts'

/** The row of a new notification. */
const notificationRow = (notification: Notification): NotificationRow => ({
  id: notification.id,
  lang: notification.lang,
  title: notification.title,
  subtitle: O.toNullable(notification.subtitle),
  description: O.toNullable(notification.description),
  due: notificationCursor(notification).key,
  resource_id: O.toNullable(notification.resourceId),
  started: 0,
})

/** Notifications, ordered by their date, undated last (G3). */
const notificationTable: OrderedTable<Notification, StoredNotification, NotificationQuery, Cursor<number>> = {
  table: 'notification',
  columns: NOTIFICATION_COLUMNS,
  order: () => newestFirst('due'),
  cursorOf: notificationCursor,
  fromRow: (row) => ({
    id: row.id,
    lang: row.lang,
    title: row.title,
    subtitle: O.fromNullable(row.subtitle),
    description: O.fromNullable(row.description),
    date: row.due === UNDATED ? O.none : O.some(instant(row.due)),
    resourceId: O.fromNullable(row.resource_id),
  }),
  conditions: ({ lang }) => (O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
}

/** A notification by its identifier. */
export const findNotification = async (db: Db, id: NotificationId): Promise<O.Option<Notification>> => {
  const row = await db
    .selectFrom('notification')
    .select(NOTIFICATION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return O.map(notificationTable.fromRow)(O.fromNullable(row))
}

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/**
 * Deletes some of the rows of a deleted notification's delivery, the delivery itself last; returns their number. Ends the epoch first, so that
 * no transaction that saw the delivery open can still add rows.
 */
const purge = async (db: Db, dialect: SqlDialect): Promise<number> => {
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
