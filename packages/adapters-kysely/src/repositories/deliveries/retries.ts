import {
  type ClaimRequest,
  type Provider,
  type Recipient,
  type ReleaseRequest,
  releasable,
} from '@almoner/domain/notifications'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { RetryRow } from '../../schema/delivery.table.ts'
import { isWaiting } from './candidates.ts'
import { isOpen, type LiveDelivery, lockedDelivery } from './delivery-rows.ts'
import { statesIn } from './providers.ts'

type Row = Pick<RetryRow, 'device_id' | 'email' | 'attempts'>

/** The recipient that a row holds. */
export const recipientOf = ({ device_id, email, attempts }: Row): Recipient => ({
  deviceId: device_id,
  email,
  attempts,
})

const inOrder = (rows: ReadonlyArray<Row>): ReadonlyArray<Recipient> =>
  rows.map(recipientOf).sort((a, b) => a.deviceId - b.deviceId)

/** Moves due retries into the delivery's next batch, at most `most`, longest wait first. */
export const gatherRetries = async (
  db: Db,
  { id, next_batch: number }: LiveDelivery,
  { now, most }: ClaimRequest,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select(['device_id', 'email', 'attempts', 'due_at'])
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
  return inOrder(rows)
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
    .select(['device_id', 'email', 'attempts'])
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
  return inOrder(rows.slice(0, most))
}

/** The most deferred devices that one call releases. */
const MOST = 1000

/** Returns how many deferred devices of each provider may be released now, without the providers that have none. */
const limitsOf = async (
  db: Db,
  { now, by, first }: ReleaseRequest,
): Promise<ReadonlyMap<Provider, number>> => {
  const states = await statesIn(db, now)
  const limits = states.map((state) => [state.provider, releasable(state, { first, most: MOST })] as const)
  return new Map(limits.filter(([provider, limit]) => limit > 0 && by.includes(provider)))
}

/** Makes deferred devices due whose providers are not paused, of one delivery and one provider. Gives how many. */
export const release = async (db: Db, request: ReleaseRequest): Promise<number> => {
  const limits = await limitsOf(db, request)
  if (limits.size === 0) return 0
  const found = await db
    .selectFrom('retry')
    .innerJoin('delivery', 'delivery.id', 'retry.delivery_id')
    .select(({ ref }) => ['delivery.notification_id', ref('retry.held_for').$notNull().as('held_for')])
    .where('retry.held_for', 'in', [...limits.keys()])
    .where(isOpen)
    .limit(1)
    .executeTakeFirst()
  if (found === undefined || found.notification_id === null) return 0
  const delivery = await lockedDelivery(db, found.notification_id)
  if (delivery === undefined) return 0
  const { id } = delivery
  const { held_for } = found
  const rows = await db
    .selectFrom('retry')
    .select('device_id')
    .where('delivery_id', '=', id)
    .where('held_for', '=', held_for)
    .orderBy('device_id')
    .limit(limits.get(held_for) ?? 0)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return 0
  await db
    .updateTable('retry')
    .set({ due_at: request.now, held_for: null })
    .where('delivery_id', '=', id)
    .where('held_for', '=', held_for)
    .where('device_id', '<=', last.device_id)
    .execute()
  return rows.length
}
