import type { Instant } from '@almoner/domain'
import type { OldestEnded, Retention } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { purging, QUIET } from '../database/writes.ts'
import { abandon } from './delivery-rows.ts'

/** The tables with rows of a delivery, and their distinguishing columns. */
const PARTS = [
  ['batch', 'number'],
  ['retry', 'device_id'],
  ['recipient_snapshot', 'device_id'],
  ['ledger', 'device_id'],
] as const

const clear = async (db: Db, [name, column]: (typeof PARTS)[number], deliveryId: number, most: number) => {
  const [table, key] = [sql.table(name), sql.ref(column)]
  const some = sql`select ${key} from ${table} where delivery_id = ${deliveryId} order by ${key} limit ${most}`
  const gone = sql`delete from ${table} where delivery_id = ${deliveryId} and ${key} in (${some})`
  return Number((await gone.execute(db)).numAffectedRows ?? 0)
}

/** Deletes at most this number of a delivery's rows in other tables. Returns their number. */
export const clearRows = async (db: Db, deliveryId: number, most: number): Promise<number> => {
  let gone = 0
  for (const part of PARTS) gone += await clear(db, part, deliveryId, most - gone)
  return gone
}

/** Rows that one call deletes at most: it holds up other writes for some milliseconds. */
const ROWS = 2000

/** Notifications that one call deletes at most. */
const NOTIFICATIONS = 200

/** A delivery with rows of devices. The text is that of its index's condition. */
const hasRows = sql<SqlBool>`has_rows = 1`

/** A delivery whose notification is not deleted. */
const hasNotification = sql<SqlBool>`notification_id is not null`

/** Finished deliveries by the time of their end. */
const byEnd = (db: Db, which: typeof hasRows) =>
  db.selectFrom('delivery').where(which).where('finished_at', 'is not', null).orderBy('finished_at')

const purgeDelivery = async (db: Db, endedBy: Instant): Promise<number> => {
  const delivery = await byEnd(db, hasRows)
    .select('id')
    .where('finished_at', '<=', endedBy)
    .limit(1)
    .executeTakeFirst()
  if (delivery === undefined) return 0
  const gone = await clearRows(db, delivery.id, ROWS)
  if (gone >= ROWS) return gone
  await db.updateTable('delivery').set({ has_rows: 0 }).where('id', '=', delivery.id).execute()
  // The delivery itself counts too: there may be others behind one that had no rows.
  return gone + 1
}

const purgeEnded = async (db: Db, endedBy: Instant): Promise<number> => {
  const rows = await byEnd(db, hasNotification)
    .select((row) => row.ref('notification_id').$notNull().as('id'))
    .where('finished_at', '<=', endedBy)
    .limit(NOTIFICATIONS)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('notification').where('id', 'in', ids).execute()
  await abandon(db, ids)
  return ids.length
}

const oldest = async (db: Db, which: typeof hasRows): Promise<O.Option<Instant>> => {
  const row = await byEnd(db, which).select('finished_at').limit(1).executeTakeFirst()
  return O.fromNullable(row?.finished_at)
}

/** The retention of ended notifications (G8). */
export const makeRetention = (database: Database): Retention => ({
  // No cache holds per-device rows.
  purgeDeliveries: (endedBy) => purging(database, (db) => purgeDelivery(db, endedBy), QUIET),
  purgeNotifications: (endedBy) => purging(database, (db) => purgeEnded(db, endedBy), { notify: 'content' }),
  oldestEnded: () =>
    database.read(
      async (db): Promise<OldestEnded> => ({
        deliveryRows: await oldest(db, hasRows),
        notification: await oldest(db, hasNotification),
      }),
    ),
})
