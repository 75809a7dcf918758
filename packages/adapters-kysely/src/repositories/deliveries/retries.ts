import type { ClaimRequest, Recipient } from '@almoner/domain/notifications'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { RetryRow } from '../../schema/delivery.table.ts'
import { isWaiting } from './candidates.ts'
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

/** Moves due retries into the delivery's next batch, at most `most`, longest wait first. */
export const gatherRetries = async (
  db: Db,
  { id, next_batch: number }: LiveDelivery,
  { now, most }: ClaimRequest,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select([...RETRY_COLUMNS, 'due_at'])
    .where('delivery_id', '=', id)
    .where(isWaiting)
    .where('due_at', '<=', now)
    .orderBy('due_at')
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
    .where(sql<boolean>`(due_at, device_id) <= (${last.due_at}, ${last.device_id})`)
    .execute()
  return rows.map(recipientOf)
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
