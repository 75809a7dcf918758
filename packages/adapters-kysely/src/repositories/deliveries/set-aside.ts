import { CLAIM_LOST, type Claim, type ClaimLost, type Instant, isSettled } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Db } from '../../database/database.ts'
import { closeBatch, heldBatch } from './batch-rows.ts'
import { lockedDelivery } from './open.ts'
import { tallyOf } from './progress.ts'

/**
 * Closes a batch whose results cannot be recorded, and counts those left in it as failed (G10). Reads and writes two rows; counts
 * never exceed the recipients, which the table's checks would refuse.
 */
export const setAside = async (db: Db, claim: Claim, now: Instant): Promise<E.Either<ClaimLost, number>> => {
  const delivery = await lockedDelivery(db, claim.notificationId)
  const batch = delivery && (await heldBatch(db, delivery, claim))
  if (delivery === undefined || batch === undefined) return E.left(CLAIM_LOST)
  const { delivered, failed, dead, skipped } = tallyOf(delivery)
  const pending = delivery.recipients - delivered - failed - dead - skipped
  const left = batch.closed === 1 ? 0 : Math.min(batch.remaining, pending)
  const tally = { delivered, failed: failed + left, dead, skipped }
  const isOver = delivery.sending === 1 && isSettled({ recipients: delivery.recipients, tally })
  await db
    .updateTable('delivery')
    .set(isOver ? { ...tally, finished_at: now, sending: 0 } : tally)
    .where('id', '=', delivery.id)
    .execute()
  await closeBatch(db, delivery, batch.number)
  return E.right(left)
}
