import { sql } from 'kysely'
import type { Db, SqlDialect } from '../engine.ts'
import { endEpoch } from '../people/epoch.ts'

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** What a delivery has rows in, and the column that tells them apart. */
const PARTS = [
  ['portion', 'number'],
  ['retry', 'device_id'],
  ['pin', 'device_id'],
  ['ledger', 'device_id'],
] as const

const clear = async (db: Db, [name, column]: (typeof PARTS)[number], deliveryId: number, most: number) => {
  const [table, key] = [sql.table(name), sql.ref(column)]
  const some = sql`select ${key} from ${table} where delivery_id = ${deliveryId} order by ${key} limit ${most}`
  const gone = sql`delete from ${table} where delivery_id = ${deliveryId} and ${key} in (${some})`
  return Number((await gone.execute(db)).numAffectedRows ?? 0)
}

/**
 * Clears away some of what a deleted notification's delivery has left, the delivery itself last; gives how many rows. The epoch
 * ends, so that nobody who took the delivery for an open one is still about to add to it.
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
  let gone = 0
  for (const part of PARTS) gone += await clear(db, part, delivery.id, PURGE - gone)
  if (gone >= PURGE) return gone
  await db.deleteFrom('delivery').where('id', '=', delivery.id).execute()
  return gone + 1
}
