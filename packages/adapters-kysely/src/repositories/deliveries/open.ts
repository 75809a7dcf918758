import type { NotificationId } from '@almoner/domain'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'
import type { DeliveryRow } from '../../schema/delivery.table.ts'

/** A delivery that is being sent. The text is that of its index's condition. */
export const isOpen = sql<SqlBool>`delivery.sending = 1`

/** Whether anything is being sent. */
export const isSending = async (db: Db): Promise<boolean> => {
  const open = await db.selectFrom('delivery').select('id').where(isOpen).limit(1).executeTakeFirst()
  return open !== undefined
}

/** A delivery whose notification is there. */
export type LiveDelivery = Selectable<DeliveryRow> & { readonly notification_id: NotificationId }

/** Locks the delivery of an existing notification until the transaction ends. Every change of its batches starts with this lock. */
export const lockedDelivery = async (
  db: Db,
  dialect: SqlDialect,
  notificationId: NotificationId,
): Promise<LiveDelivery | undefined> => {
  const row = await db
    .selectFrom('delivery')
    .selectAll()
    .where('notification_id', '=', notificationId)
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, notification_id: notificationId }
}
