import type { Instant } from '@almoner/domain'
import { CLAIM_LOST, type Claim, type ClaimLost, type DeliveryResult, effectAlone, leaseFrom, type Recorded, type RecordingTime, type ServedRecipient } from '@almoner/domain/delivery'
import { isSettled, type Shortened, type Tally } from '@almoner/domain/notifications'
import * as E from 'fp-ts/lib/Either.js'
import type { Db } from '../database/database.ts'
import type { BatchRow } from '../schema/delivery.table.ts'
import { changeBatch, closeBatch, heldBatch, rangeOf } from './batch-rows.ts'
import { type LiveDelivery, lockedDelivery, tallyOf, withLifeAt } from './delivery-rows.ts'
import { recipientsAmong } from './members.ts'
import { detachDead, endWaiting, keepEnded, keepWaiting } from './record-results.ts'
import { type SettledRecipient, settleResults } from './settle-results.ts'

/** Returns the results of recipients in the batch, one for each. */
const servedOf = async (
  db: Db,
  delivery: LiveDelivery,
  batch: BatchRow,
  results: ReadonlyArray<DeliveryResult>,
): Promise<ReadonlyArray<ServedRecipient>> => {
  const byDevice = new Map(results.map((result) => [result.deviceId, result]))
  const recipients = await recipientsAmong(db, delivery, batch, [...byDevice.keys()])
  return [...recipients.values()].flatMap((recipient) => {
    const result = byDevice.get(recipient.deviceId)
    return result === undefined ? [] : [{ recipient, result }]
  })
}

const talliedWith = (before: Tally, served: ReadonlyArray<SettledRecipient>): Tally => {
  const tally = { ...before }
  for (const { effect } of served) if (effect.kind === 'ended') tally[effect.outcome] += 1
  return tally
}

const saveTally = (db: Db, { id }: LiveDelivery, tally: Tally, finishedAt: Instant | undefined) =>
  db
    .updateTable('delivery')
    .set(finishedAt === undefined ? tally : { ...tally, finished_at: finishedAt, sending: 0 })
    .where('id', '=', id)
    .execute()

/** Counts final results; the delivery is finished once all recipients have one. */
const count = (db: Db, delivery: LiveDelivery, served: ReadonlyArray<SettledRecipient>, now: Instant) => {
  const tally = talliedWith(tallyOf(delivery), served)
  return saveTally(
    db,
    delivery,
    tally,
    isSettled({ recipients: delivery.recipients, tally }) ? now : undefined,
  )
}

/** Stores what was left out of the message (G6). */
const saveShortened = (db: Db, { id }: LiveDelivery, shortened: Shortened) =>
  db.updateTable('delivery').set({ shortened }).where('id', '=', id).execute()

/** Records results in one transaction (G5). */
export const record = async (
  db: Db,
  {
    claim,
    results,
    ...at
  }: RecordingTime & { readonly claim: Claim; readonly results: ReadonlyArray<DeliveryResult> },
): Promise<E.Either<ClaimLost, Recorded>> => {
  const locked = await lockedDelivery(db, claim.notificationId)
  const batch = locked && (await heldBatch(db, locked, claim))
  if (locked === undefined || batch === undefined) return E.left(CLAIM_LOST)
  const { now, last, shortened = '' } = at
  const delivery = await withLifeAt(db, locked, now)
  if (shortened !== '' && shortened !== delivery.shortened) await saveShortened(db, delivery, shortened)
  const news = await servedOf(db, delivery, batch, results)
  const { served, paused } = await settleResults(db, delivery, news, at)
  await keepEnded(db, delivery, served, now)
  if (rangeOf(batch) === undefined) await endWaiting(db, delivery, served)
  await keepWaiting(db, delivery, served, now)
  await detachDead(db, served, now)
  if (served.length > 0) await count(db, delivery, served, now)
  const remaining = batch.remaining - served.length
  // Recipients without a result are claimed again.
  if (last && remaining === 0) await closeBatch(db, delivery, batch.number)
  else
    await changeBatch(db, delivery, batch.number, {
      remaining,
      lease_until: last ? null : leaseFrom(now),
    })
  const effects = new Map(served.map(({ effect }) => [effect.deviceId, effect]))
  return E.right({
    results: results.map((result) => effects.get(result.deviceId) ?? effectAlone(result)),
    paused,
  })
}

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
  await saveTally(db, delivery, tally, isOver ? now : undefined)
  await closeBatch(db, delivery, batch.number)
  return E.right(left)
}
