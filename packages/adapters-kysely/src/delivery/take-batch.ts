import { type ClaimRequest, leaseFrom, type Recipient } from '@almoner/domain/delivery'
import type { Db } from '../database/database.ts'
import {
  addBatch,
  changeBatch,
  closeBatch,
  type Range,
  rangeColumns,
  rangeOf,
  type TakenBatch,
} from './batch-rows.ts'
import { isClaimable } from './candidates.ts'
import type { LiveDelivery } from './delivery-rows.ts'
import { membersOf } from './members.ts'
import { gatherRetries, retriesOf } from './retries.ts'

/** Returns the remaining recipients in a range, at most `most`. The rest of the range becomes a new free batch. */
const leftIn = async (
  db: Db,
  delivery: LiveDelivery,
  { number, range, most }: { readonly number: number; readonly range: Range; readonly most: number },
): Promise<ReadonlyArray<Recipient>> => {
  const { recipients, upto } = await membersOf(db, delivery, range, most)
  if (upto < range.upto) {
    const rest = { after: upto, upto: range.upto }
    await addBatch(db, delivery, { ...rangeColumns(rest), remaining: 0, fence: 0, lease_until: null })
    await changeBatch(db, delivery, number, rangeColumns({ after: range.after, upto }))
  }
  return recipients
}

/** Claims a free batch with a greater fence. Undefined if it has no remaining recipients: it is closed. */
export const takeFree = async (
  db: Db,
  delivery: LiveDelivery,
  number: number,
  request: ClaimRequest,
): Promise<TakenBatch | undefined> => {
  const { now, most } = request
  const batch = await db
    .selectFrom('batch')
    .select(['number', 'after_device', 'upto_device', 'fence', 'lease_until'])
    .where('delivery_id', '=', delivery.id)
    .where('number', '=', number)
    .where('closed', '=', 0)
    .executeTakeFirst()
  if (batch === undefined || !isClaimable(delivery.notification_id, batch, request)) return undefined
  const range = rangeOf(batch)
  const recipients =
    range === undefined
      ? await retriesOf(db, delivery, number, most)
      : await leftIn(db, delivery, { number, range, most })
  if (recipients.length === 0) {
    await closeBatch(db, delivery, number)
    return undefined
  }
  const fence = batch.fence + 1
  await changeBatch(db, delivery, number, {
    fence,
    lease_until: leaseFrom(now),
    remaining: recipients.length,
  })
  return { number, fence, recipients }
}

const FIRST_FENCE = 1

const begin = async (
  db: Db,
  delivery: LiveDelivery,
  { now }: ClaimRequest,
  { recipients, range }: { readonly recipients: ReadonlyArray<Recipient>; readonly range: Range | undefined },
): Promise<TakenBatch | undefined> => {
  if (recipients.length === 0) return undefined
  const lease = { fence: FIRST_FENCE, lease_until: leaseFrom(now) }
  await addBatch(db, delivery, { ...rangeColumns(range), ...lease, remaining: recipients.length })
  return { number: delivery.next_batch, fence: FIRST_FENCE, recipients }
}

/** Claims the next unclaimed recipients. Undefined if this range of devices has none. */
export const takeUnclaimed = async (
  db: Db,
  delivery: LiveDelivery,
  request: ClaimRequest,
): Promise<TakenBatch | undefined> => {
  const after = delivery.claimed_upto
  const stretch = { after, upto: delivery.last_device }
  const { recipients, upto } = await membersOf(db, delivery, stretch, request.most)
  await db.updateTable('delivery').set({ claimed_upto: upto }).where('id', '=', delivery.id).execute()
  return begin(db, delivery, request, { recipients, range: { after, upto } })
}

/** The retries that are due. Undefined when there are none any more. */
export const takeRetries = async (
  db: Db,
  delivery: LiveDelivery,
  request: ClaimRequest,
): Promise<TakenBatch | undefined> => {
  const recipients = await gatherRetries(db, delivery, request)
  return begin(db, delivery, request, { recipients, range: undefined })
}
