import type { NotificationId } from '@almoner/domain'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
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

/** The delivery of a notification that is there, held still until the transaction ends: whoever changes its batches does this first. */
export const lockedDelivery = async (
  db: Db,
  notificationId: NotificationId,
): Promise<LiveDelivery | undefined> => {
  const row = await db
    .selectFrom('delivery')
    .selectAll()
    .where('notification_id', '=', notificationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, notification_id: notificationId }
}
