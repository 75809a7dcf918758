import { type ClaimRequest, leaseFrom, type Recipient } from '@almoner/domain'
import type { Db } from '../../database/database.ts'
import { addBatch, changeBatch, closeBatch, rangeColumns, rangeOf, type Taken } from './batch-rows.ts'
import { isFree } from './candidates.ts'
import type { LiveDelivery } from './open.ts'
import { membersOf, type Range } from './range-members.ts'
import { retriesOf } from './retries.ts'

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
  { now, most }: ClaimRequest,
): Promise<Taken | undefined> => {
  const batch = await db
    .selectFrom('batch')
    .select(['after_device', 'upto_device', 'fence'])
    .where('delivery_id', '=', delivery.id)
    .where('number', '=', number)
    .where('closed', '=', 0)
    .where(isFree(now))
    .executeTakeFirst()
  if (batch === undefined) return undefined
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
