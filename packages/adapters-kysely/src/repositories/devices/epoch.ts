import { sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'

/** The one row that there is. */
const ONLY = 1

/**
 * The epoch that it is, for whoever is about to change a device: no notification is taken up until the transaction ends. The
 * lock that this takes comes before those on devices, always.
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
 * Ends the epoch that it is, and gives it. Devices that had changed before belong to it, those that change after this
 * transaction do not, and none changes until that ends: what devices were at this moment stays told by their epochs (G4).
 * The lock on the table queues: it is granted after those who hold {@link presentEpoch}, and before those who ask for it later.
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
