import type { ClaimRequest, Recipient } from '@almoner/domain/delivery'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { RetryRow } from '../schema/delivery.table.ts'
import { isDue, isPlannedAhead, isWaiting } from './candidates.ts'
import type { LiveDelivery } from './delivery-rows.ts'

type Row = Pick<Selectable<RetryRow>, 'device_id' | 'email' | 'attempts' | 'refusals'>

/** The columns that {@link recipientOf} reads. */
export const RETRY_COLUMNS = ['device_id', 'email', 'attempts', 'refusals'] as const

/** The recipient that a row holds. */
export const recipientOf = ({ device_id, email, attempts, refusals }: Row): Recipient => ({
  deviceId: device_id,
  email,
  attempts,
  refusals,
})

/** Moves retries into the delivery's next batch, in the order of a time, which an index has too. */
const gatherBy = async (
  db: Db,
  { id, next_batch: number }: LiveDelivery,
  {
    time,
    isReady,
    most,
  }: { readonly time: 'due_at' | 'planned_at'; readonly isReady: typeof isWaiting; readonly most: number },
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select([...RETRY_COLUMNS, `${time} as time`])
    .where('delivery_id', '=', id)
    .where(isWaiting)
    .where(isReady)
    .orderBy(time)
    .orderBy('device_id')
    .limit(most)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return []
  await db
    .updateTable('retry')
    .set({ batch: number, held_for: null })
    .where('delivery_id', '=', id)
    .where(isWaiting)
    .where(isReady)
    .where(sql<boolean>`(${sql.ref(time)}, device_id) <= (${last.time}, ${last.device_id})`)
    .execute()
  return rows.map(recipientOf)
}

/** Moves due retries into the delivery's next batch, at most `most`, longest wait first; else retries that a clock which was ahead has planned. */
export const gatherRetries = async (
  db: Db,
  delivery: LiveDelivery,
  { now, most }: ClaimRequest,
): Promise<ReadonlyArray<Recipient>> => {
  const due = await gatherBy(db, delivery, { time: 'due_at', isReady: isDue(now), most })
  return due.length > 0
    ? due
    : gatherBy(db, delivery, { time: 'planned_at', isReady: isPlannedAhead(now), most })
}

/** Returns the retries in a batch, at most `most`; further ones wait again. */
export const retriesOf = async (
  db: Db,
  { id }: LiveDelivery,
  number: number,
  most: number,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select(RETRY_COLUMNS)
    .where('delivery_id', '=', id)
    .where('batch', '=', number)
    .orderBy('device_id')
    .limit(most + 1)
    .execute()
  const last = rows.at(most - 1)
  if (rows.length > most && last !== undefined)
    await db
      .updateTable('retry')
      .set({ batch: null })
      .where('delivery_id', '=', id)
      .where('batch', '=', number)
      .where('device_id', '>', last.device_id)
      .execute()
  return rows.slice(0, most).map(recipientOf)
}
