import type { Claim, Recipient } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import type { Db } from '../database/database.ts'
import type { BatchRow } from '../schema/delivery.table.ts'
import type { LiveDelivery } from './delivery-rows.ts'

/** Devices by number: those behind `after`, `upto` included. */
export interface Range {
  readonly after: DeviceId
  readonly upto: DeviceId
}

/** A batch that is the claimer's now. */
export interface TakenBatch {
  readonly number: number
  readonly fence: number
  readonly recipients: ReadonlyArray<Recipient>
}

/** The columns that say where a batch's recipients are; undefined stands for retries. */
export const rangeColumns = (range: Range | undefined) => ({
  after_device: range?.after ?? null,
  upto_device: range?.upto ?? null,
})

/** The range of a batch; undefined when it is one of retries. */
export const rangeOf = ({
  after_device: after,
  upto_device: upto,
}: Pick<BatchRow, 'after_device' | 'upto_device'>): Range | undefined =>
  after === null || upto === null ? undefined : { after, upto }

/** Adds a batch to a delivery, under the delivery's next number. */
export const addBatch = async (
  db: Db,
  { id, next_batch: number }: LiveDelivery,
  batch: Omit<BatchRow, 'delivery_id' | 'number' | 'closed'>,
): Promise<void> => {
  await db
    .insertInto('batch')
    .values({ ...batch, delivery_id: id, number, closed: 0 })
    .execute()
  await db
    .updateTable('delivery')
    .set({ next_batch: number + 1 })
    .where('id', '=', id)
    .execute()
}

/** Returns the batch of a claim; undefined after another claim. */
export const heldBatch = (
  db: Db,
  { id }: LiveDelivery,
  { number, fence }: Claim,
): Promise<BatchRow | undefined> =>
  db
    .selectFrom('batch')
    .selectAll()
    .where('delivery_id', '=', id)
    .where('number', '=', number)
    .where('fence', '=', fence)
    .executeTakeFirst()

/** Changes a batch. */
export const changeBatch = async (
  db: Db,
  { id }: LiveDelivery,
  number: number,
  columns: Partial<BatchRow>,
): Promise<void> => {
  await db
    .updateTable('batch')
    .set(columns)
    .where('delivery_id', '=', id)
    .where('number', '=', number)
    .execute()
}

/** Closes a batch without remaining recipients. */
export const closeBatch = (db: Db, delivery: LiveDelivery, number: number): Promise<void> =>
  changeBatch(db, delivery, number, { remaining: 0, lease_until: null, closed: 1 })
