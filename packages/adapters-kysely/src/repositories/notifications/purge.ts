import type { Db, SqlDialect } from '../../database/database.ts'
import { clearRows } from '../deliveries/clear-rows.ts'
import { endEpoch } from '../devices/epoch.ts'

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

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
  const gone = await clearRows(db, delivery.id, PURGE)
  if (gone >= PURGE) return gone
  await db.deleteFrom('delivery').where('id', '=', delivery.id).execute()
  return gone + 1
}
