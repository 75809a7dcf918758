import type { NotificationId } from '@almoner/domain'
import type { Db } from '../../database/database.ts'

/** Ends deliveries whose notifications are deleted: nobody claims from them, and the upkeep clears away their rows. */
export const abandon = async (db: Db, notificationIds: ReadonlyArray<NotificationId>): Promise<void> => {
  await db
    .updateTable('delivery')
    .set({ notification_id: null, sending: 0 })
    .where('notification_id', 'in', notificationIds)
    .execute()
}
