import type { Db, SqlDialect } from '../../database/database.ts'
import { clearRows } from '../deliveries/clear-rows.ts'
import { endEpoch } from '../devices/epoch.ts'

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
