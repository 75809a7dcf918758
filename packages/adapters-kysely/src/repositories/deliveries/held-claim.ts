import type { Claim } from '@almoner/domain'
import type { Db } from '../../database/database.ts'

/** Whether a claim is valid: no other has a greater fence, and the notification exists. */
export const isOurs = async (db: Db, { notificationId, number, fence }: Claim): Promise<boolean> => {
  const batch = await db
    .selectFrom('delivery')
    .innerJoin('batch', 'batch.delivery_id', 'delivery.id')
    .select('batch.number')
    .where('delivery.notification_id', '=', notificationId)
    .where('batch.number', '=', number)
    .where('batch.fence', '=', fence)
    .executeTakeFirst()
  return batch !== undefined
}

/** Ends a claim's lease, unless another has a greater fence. */
export const letGo = async (db: Db, { notificationId, number, fence }: Claim): Promise<void> => {
  await db
    .updateTable('batch')
    .set({ lease_until: null })
    .where('delivery_id', '=', ({ selectFrom }) =>
      selectFrom('delivery').select('id').where('notification_id', '=', notificationId),
    )
    .where('number', '=', number)
    .where('fence', '=', fence)
    .execute()
}
