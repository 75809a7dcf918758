import { sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'

/** The one row that there is. */
const ONLY = 1

/**
 * Returns the current epoch before a change of a device, and prevents the start of a notification until the transaction ends. This lock is
 * always taken before locks on devices.
 */
export const presentEpoch = async (db: Db): Promise<number> => {
  const { value } = await db
    .selectFrom('epoch')
    .select('value')
    .where('id', '=', ONLY)
    .forShare()
    .executeTakeFirstOrThrow()
  return value
}

/**
 * Ends the current epoch and returns it. Devices that changed earlier belong to it, later changes do not, and none changes until this
 * transaction ends, so epochs preserve the state of this moment (G4). The table lock queues: it is granted after current holders of
 * {@link presentEpoch}, and before later ones.
 */
export const endEpoch = async (db: Db, dialect: SqlDialect): Promise<number> => {
  const lock = dialect.queueingLock('epoch')
  if (lock !== undefined) await sql.raw(lock).execute(db)
  const { value } = await db
    .updateTable('epoch')
    .set(({ eb }) => ({ value: eb('value', '+', 1) }))
    .where('id', '=', ONLY)
    .returning('value')
    .executeTakeFirstOrThrow()
  return value - 1
}
