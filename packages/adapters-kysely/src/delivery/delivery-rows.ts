import type { Instant } from '@almoner/domain'
import { type Claim, lifeAt } from '@almoner/domain/delivery'
import type { Progress, Tally } from '@almoner/domain/notifications'
import type { NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Selectable } from 'kysely'
import type { Db } from '../database/database.ts'
import type { DeliveryRow } from '../schema/delivery.table.ts'

/** A delivery whose notification is there. */
export type LiveDelivery = Selectable<DeliveryRow> & { readonly notification_id: NotificationId }

/** Locks the delivery of an existing notification until the transaction ends. Every change of its batches starts with this lock. */
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

/** Returns a locked delivery with the end of its life as it counts now. From when that is counted is stored (I9). */
export const withLifeAt = async (db: Db, delivery: LiveDelivery, now: Instant): Promise<LiveDelivery> => {
  const { id, started_at: startedAt, ends_at: endsAt, counted_from } = delivery
  const life = lifeAt({ startedAt, endsAt, countedFrom: O.fromNullable(counted_from) }, now)
  const countedFrom = O.toNullable(life.countedFrom)
  if (countedFrom !== counted_from)
    await db.updateTable('delivery').set({ counted_from: countedFrom }).where('id', '=', id).execute()
  return { ...delivery, ends_at: life.endsAt, counted_from: countedFrom }
}

/** How many of a delivery's recipients ended each way. */
export const tallyOf = ({ delivered, failed, dead, skipped }: Pick<DeliveryRow, keyof Tally>): Tally => ({
  delivered,
  failed,
  dead,
  skipped,
})

/** The columns that {@link progressIn} reads. */
export const PROGRESS_COLUMNS = [
  'recipients',
  'delivered',
  'failed',
  'dead',
  'skipped',
  'started_at',
  'finished_at',
  'shortened',
] as const

type ProgressRow = Pick<Selectable<DeliveryRow>, (typeof PROGRESS_COLUMNS)[number]>

/** Returns the progress in a row; none if a join found no delivery. */
export const progressIn = (
  row: {
    readonly [Column in keyof ProgressRow]: ProgressRow[Column] | null
  },
): O.Option<Progress> => {
  const found = row as ProgressRow
  return row.started_at === null
    ? O.none
    : O.some({
        recipients: found.recipients,
        tally: tallyOf(found),
        startedAt: found.started_at,
        finishedAt: O.fromNullable(found.finished_at),
        shortened: found.shortened,
      })
}

/** How far a notification's delivery has come; none before it is taken up. */
export const progressOf = async (db: Db, id: NotificationId): Promise<O.Option<Progress>> => {
  const row = await db
    .selectFrom('delivery')
    .select(PROGRESS_COLUMNS)
    .where('notification_id', '=', id)
    .executeTakeFirst()
  return row === undefined ? O.none : progressIn(row)
}

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

/** Ends deliveries whose notifications are deleted: they are not claimed, and the maintenance deletes their rows. */
export const abandon = async (db: Db, notificationIds: ReadonlyArray<NotificationId>): Promise<void> => {
  await db
    .updateTable('delivery')
    .set({ notification_id: null, sending: 0 })
    .where('notification_id', 'in', notificationIds)
    .execute()
}
