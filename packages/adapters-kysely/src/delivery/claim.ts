import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Batch, ClaimRequest } from '@almoner/domain/delivery'
import type { Deliveries } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { attempt, type Database, type Db, orThrow } from '../database/database.ts'
import { quietly } from '../database/writes.ts'
import { isOpen } from '../people/audience.ts'
import type { TakenBatch } from './batch-rows.ts'
import { type Candidate, candidateFor, type Locking } from './candidates.ts'
import { abandon, type LiveDelivery, lockedDelivery, withLifeAt } from './delivery-rows.ts'
import { findNotification } from './notifications.ts'
import { takeFree, takeRetries, takeUnclaimed } from './take-batch.ts'

const take = (
  db: Db,
  delivery: LiveDelivery,
  candidate: Candidate,
  request: ClaimRequest,
): Promise<TakenBatch | undefined> => {
  switch (candidate.kind) {
    case 'batch':
      return takeFree(db, delivery, candidate.number, request)
    case 'retries':
      return takeRetries(db, delivery, request)
    case 'unclaimed':
      return takeUnclaimed(db, delivery, request)
  }
}

/** Puts a delivery behind all others that are being sent. */
const moveToEnd = async (db: Db, { id }: LiveDelivery): Promise<void> => {
  const last = await db
    .selectFrom('delivery')
    .select('last_turn')
    .where(isOpen)
    .orderBy('last_turn', 'desc')
    .limit(1)
    .executeTakeFirst()
  await db
    .updateTable('delivery')
    .set({ last_turn: (last?.last_turn ?? 0) + 1 })
    .where('id', '=', id)
    .execute()
}

/** Claims the next work. None if it has no recipients, or another process has claimed it. */
const claimNext = async (db: Db, request: ClaimRequest, locking: Locking): Promise<O.Option<Batch>> => {
  const candidate = await candidateFor(db, request, locking)
  if (candidate === undefined) return O.none
  const { notificationId } = candidate
  const locked = await lockedDelivery(db, notificationId)
  const notification = await findNotification(db, notificationId)
  if (locked === undefined) return O.none
  if (O.isNone(notification)) {
    // Only the row of the notification was deleted: an open delivery would be found again and again.
    await abandon(db, [notificationId])
    return O.none
  }
  const delivery = await withLifeAt(db, locked, request.now)
  const taken = await take(db, delivery, candidate, request)
  if (taken === undefined) return O.none
  await moveToEnd(db, delivery)
  const { number, fence, recipients } = taken
  return O.some({
    claim: { notificationId, number, fence },
    notification: notification.value,
    endsAt: delivery.ends_at,
    recipients,
  })
}

/**
 * Claims a batch. Each scan of a range of devices is a separate transaction, so that others do not wait long; without work nothing is locked.
 * On engines with several writers, unlocked deliveries come first, so that processes do not wait for each other while there is other work. A
 * transaction with a locked delivery waits for no other.
 */
export const makeClaim = (database: Database): Deliveries['claim'] => {
  const lockings: ReadonlyArray<Locking> = database.dialect.locksRows
    ? ['lock those that are free', 'look']
    : ['look']
  const isAnything = async (request: ClaimRequest): Promise<boolean> =>
    (await orThrow(database.read((db) => candidateFor(db, request, 'look')))) !== undefined

  const claimOnce = async (request: ClaimRequest): Promise<O.Option<Batch>> => {
    for (const locking of lockings) {
      const claimed = await orThrow(quietly(database, (db) => claimNext(db, request, locking)))
      await nextTurn()
      if (O.isSome(claimed)) return claimed
    }
    return O.none
  }

  const claim = async (request: ClaimRequest): Promise<O.Option<Batch>> => {
    let claimed: O.Option<Batch> = O.none
    while (O.isNone(claimed) && (await isAnything(request))) claimed = await claimOnce(request)
    return claimed
  }

  return (request) => attempt(async () => E.right(await claim(request)))
}
