import type { NotificationId } from '@almoner/domain'
import type { Db } from '../../database/database.ts'

/** Ends deliveries whose notifications are deleted: they are not claimed, and the maintenance deletes their rows. */
export const abandon = async (db: Db, notificationIds: ReadonlyArray<NotificationId>): Promise<void> => {
  await db
    .updateTable('delivery')
    .set({ notification_id: null, sending: 0 })
    .where('notification_id', 'in', notificationIds)
    .execute()
}
