import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'

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
