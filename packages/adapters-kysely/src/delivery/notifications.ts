import {
  COUNTERPART_NOT_FOUND,
  type CounterpartNotFound,
  LABEL_NOT_FOUND,
  type LabelNotFound,
} from '@almoner/domain/content'
import {
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type Notification,
  type NotificationNotFound,
  type NotificationStarted,
  notificationCursor,
  type Standing,
  tieFaults,
} from '@almoner/domain/notifications'
import type { NothingDone, Notifications, NotificationWithProgress } from '@almoner/domain/ports'
import {
  type LabelId,
  type NotificationId,
  type ValidationFailed,
  validationFailed,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import { keepReceipt } from '../access/tokens.ts'
import { lockedLabels } from '../content/labels.ts'
import {
  columnList,
  type Database,
  type Db,
  placeholders,
  queryCache,
  type SqlDialect,
  type WriteOptions,
} from '../database/database.ts'
import { makeList } from '../database/ordered-table.ts'
import { findInLists, purging } from '../database/writes.ts'
import { makeRecordAct } from '../history.ts'
import { endEpoch } from '../people/audience.ts'
import { NOTIFICATION_COLUMNS, type StoredNotification } from '../schema/notification.table.ts'
import { type ClearRows, makeClearRows } from './retention.ts'
import { findNotification, notificationTable, progressOf, WITH_PROGRESS, withProgress } from './rows.ts'

/** For writes that change notifications alone, as far as caches hold data. */
export const NOTIFICATIONS: WriteOptions = { notify: ['notifications'] }

/** Returns the columns of a notification without its `started`. */
export const storedOf = (notification: Notification): StoredNotification => ({
  id: notification.id,
  revision: notification.revision,
  lang: notification.lang,
  title: notification.title,
  subtitle: O.toNullable(notification.subtitle),
  description: O.toNullable(notification.description),
  due: notificationCursor(notification).key,
  resource_id: O.toNullable(notification.resourceId),
  label_id: O.toNullable(notification.labelId),
})

/** Locks notifications until the transaction ends, in one order: no review takes one up meanwhile, and no other write changes its tie. */
export const lockedNotifications = async (
  db: Db,
  ids: ReadonlyArray<NotificationId | undefined>,
): Promise<ReadonlyMap<NotificationId, Standing>> => {
  const rows = await db
    .selectFrom('notification')
    .select([...NOTIFICATION_COLUMNS, 'started'])
    .where(
      'id',
      'in',
      ids.filter((id) => id !== undefined),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { notification: notificationTable.fromRow(row), isStarted: row.started === 1 },
    ]),
  )
}

/** Ties a notification to another one, or to none, in place of earlier ties of both (G14). */
export const tie = async (
  db: Db,
  own: Notification,
  counterpartId: NotificationId | undefined,
): Promise<void> => {
  const ids = counterpartId === undefined ? [own.id] : [own.id, counterpartId]
  await db
    .deleteFrom('announcement')
    .where((of) => of.or([of('en_id', 'in', ids), of('fr_id', 'in', ids)]))
    .execute()
  if (counterpartId === undefined) return
  const [en_id, fr_id] = own.lang === 'en' ? [own.id, counterpartId] : [counterpartId, own.id]
  await db.insertInto('announcement').values({ en_id, fr_id }).execute()
}

/** Ties a new notification to its counterpart, if it can be. */
const tieNew = async (
  db: Db,
  notification: Notification,
  counterpartId: NotificationId,
): Promise<E.Either<CounterpartNotFound | ValidationFailed, void>> => {
  const counterpart = (await lockedNotifications(db, [counterpartId])).get(counterpartId)
  if (counterpart === undefined) return E.left(COUNTERPART_NOT_FOUND)
  const [first, ...rest] = tieFaults(notification, counterpart.notification)
  if (first !== undefined) return E.left(validationFailed([first, ...rest]))
  await tie(db, notification, counterpartId)
  return E.right(undefined)
}

/** Holds the label of a notification until the transaction ends, before notifications are locked. False if it does not exist (G12). */
export const holdTopic = async (db: Db, labelId: O.Option<LabelId>): Promise<boolean> =>
  O.isNone(labelId) || (await lockedLabels(db, [labelId.value])).has(labelId.value)

/** Returns those of some labels that a notification has which no review has started: a load must not remove them (G12). */
export const heldLabels = async (db: Db, labelIds: ReadonlyArray<LabelId>): Promise<ReadonlySet<LabelId>> => {
  const rows = await findInLists(labelIds, (list) =>
    db
      .selectFrom('notification')
      .select('label_id')
      .distinct()
      .where('label_id', 'in', list)
      .where(sql<SqlBool>`started = 0 and label_id is not null`)
      .execute(),
  )
  return new Set(rows.flatMap(({ label_id }) => label_id ?? []))
}

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/**
 * Deletes some of the rows of a deleted notification's delivery, the delivery itself last; returns their number. Ends the epoch first, so that
 * no transaction that saw the delivery open can still add rows.
 */
const purge = async (db: Db, dialect: SqlDialect, clear: ClearRows): Promise<number> => {
  const delivery = await db
    .selectFrom('delivery')
    .select('id')
    .where('notification_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (delivery === undefined) return 0
  await endEpoch(db, dialect)
  const { gone, isOver } = await clear(db, delivery.id, PURGE)
  if (!isOver) return gone
  await db.deleteFrom('delivery').where('id', '=', delivery.id).execute()
  return gone + 1
}

const INSERT = `insert into notification (${columnList(NOTIFICATION_COLUMNS)}, started)
  values (${placeholders(NOTIFICATION_COLUMNS)}, 0)`

/** Notifications, and how far each has come (G3, G7), except changes and deletions, which concern counterparts. */
export const makeNotifications = (
  database: Database,
): Omit<Notifications, 'change' | 'counterparts' | 'remove'> => {
  const run = queryCache()
  const clear = makeClearRows()
  const record = makeRecordAct()
  return {
    add: (notification, receipt, act, counterpartId) =>
      database.write(
        async (
          db,
        ): Promise<E.Either<CounterpartNotFound | LabelNotFound | ValidationFailed | NothingDone, void>> => {
          if (!(await holdTopic(db, notification.labelId))) return E.left(LABEL_NOT_FOUND)
          const row = storedOf(notification)
          await run(
            db,
            INSERT,
            NOTIFICATION_COLUMNS.map((column) => row[column]),
          )
          const tied =
            counterpartId === undefined ? E.right(undefined) : await tieNew(db, notification, counterpartId)
          if (E.isLeft(tied)) return tied
          await record(db, act, { kind: 'notification', id: notification.id })
          return E.map(() => undefined)(await keepReceipt(db, receipt, notification))
        },
        NOTIFICATIONS,
      ),

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
          .select(WITH_PROGRESS)
          .where('notification.due', '>=', from)
          .where('notification.due', '<=', to)
          .orderBy('notification.due', 'desc')
          .orderBy('notification.id', 'desc')
          .limit(most)
          .execute()
        return rows.map(withProgress)
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
        await record(db, act, { kind: 'notification', id })
        return E.right(undefined)
      }, NOTIFICATIONS),

    purge: () => purging(database, (db) => purge(db, database.dialect, clear), NOTIFICATIONS),
  }
}
