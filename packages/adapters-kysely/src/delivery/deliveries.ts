import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '@almoner/domain'
import { type Batch, type ClaimRequest, endOfLife, leaseFrom, type Recipient } from '@almoner/domain/delivery'
import { NO_OUTCOMES } from '@almoner/domain/notifications'
import type { Deliveries } from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Asking,
  attempt,
  type Database,
  type Db,
  orThrow,
  type QueryCache,
  queryCache,
  type SqlDialect,
} from '../database/database.ts'
import { always, QUIET, quietly } from '../database/writes.ts'
import { endEpoch, isOpen, NO_DEVICE, sizeOfAudience } from '../people/audience.ts'
import { checkEligibility, membersOf } from './members.ts'
import { backlog, isUnstarted, queue, upcoming } from './queue.ts'
import { record, setAside } from './recording.ts'
import { makeRelease } from './releases.ts'
import {
  type Candidate,
  candidateFor,
  gatherRetries,
  isClaimable,
  type Locking,
  retriesOf,
} from './retries.ts'
import {
  abandon,
  addBatch,
  changeBatch,
  closeBatch,
  findNotification,
  type LiveDelivery,
  letGo,
  lockedDelivery,
  type Range,
  rangeColumns,
  rangeOf,
  type TakenBatch,
  withLifeAt,
} from './rows.ts'

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
const takeFree = async (
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
const takeUnclaimed = async (
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
const takeRetries = async (
  db: Db,
  delivery: LiveDelivery,
  request: ClaimRequest,
): Promise<TakenBatch | undefined> => {
  const recipients = await gatherRetries(db, delivery, request)
  return begin(db, delivery, request, { recipients, range: undefined })
}

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
const claimNext = async (
  asking: Asking,
  request: ClaimRequest,
  locking: Locking,
): Promise<O.Option<Batch>> => {
  const { db } = asking
  const candidate = await candidateFor(db, request, locking)
  if (candidate === undefined) return O.none
  const { notificationId } = candidate
  const locked = await lockedDelivery(asking, notificationId)
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
export const makeClaim = (database: Database, run: QueryCache): Deliveries['claim'] => {
  const lockings: ReadonlyArray<Locking> = database.dialect.locksRows
    ? ['lock those that are free', 'look']
    : ['look']
  const isAnything = async (request: ClaimRequest): Promise<boolean> =>
    (await orThrow(database.read((db) => candidateFor(db, request, 'look')))) !== undefined

  const claimOnce = async (request: ClaimRequest): Promise<O.Option<Batch>> => {
    for (const locking of lockings) {
      const claimed = await orThrow(quietly(database, (db) => claimNext({ db, run }, request, locking)))
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

/** Notifications looked up at a time. */
const LOOK = 100

/** The first notifications that are due and not started. */
const dueBy = async (db: Db, now: Instant): Promise<ReadonlyArray<NotificationId>> => {
  const rows = await db
    .selectFrom('notification')
    .select('id')
    .where(isUnstarted)
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('id')
    .limit(LOOK)
    .execute()
  return rows.map(({ id }) => id)
}

interface Start {
  readonly now: Instant
  /** In milliseconds. */
  readonly life: number
}

/** Starts one; false when another process has, or it was deleted or moved. */
const startOne = async (
  db: Db,
  dialect: SqlDialect,
  id: NotificationId,
  { now, life }: Start,
): Promise<boolean> => {
  const row = await db
    .updateTable('notification')
    .set({ started: 1 })
    .where('id', '=', id)
    .where('started', '=', 0)
    // It may have moved since it was found to be due (G13).
    .where('due', '>=', 0)
    .where('due', '<=', now)
    .returning(['lang', 'label_id', 'due'])
    .executeTakeFirst()
  if (row === undefined) return false
  const epoch = await endEpoch(db, dialect)
  const { size, last } = await sizeOfAudience(db, row)
  await db
    .insertInto('delivery')
    .values({
      ...NO_OUTCOMES,
      notification_id: id,
      lang: row.lang,
      label_id: row.label_id,
      epoch,
      started_at: now,
      ends_at: endOfLife(instant(row.due), now, life),
      counted_from: null,
      finished_at: size === 0 ? now : null,
      sending: size > 0 ? 1 : 0,
      recipients: size,
      last_device: last,
      claimed_upto: NO_DEVICE,
      next_batch: 0,
      last_turn: 0,
      has_rows: size > 0 ? 1 : 0,
    })
    .execute()
  return true
}

/**
 * Starts all that are due, each notification in its own transaction (G4). Nothing is copied: the epoch that it ends determines from then on which
 * devices were the recipients.
 */
const makeStart = (database: Database): Deliveries['start'] => {
  const begin = (id: NotificationId, at: Start) =>
    orThrow(
      database.write(
        always((db) => startOne(db, database.dialect, id, at)),
        { notify: ['notifications'] },
      ),
    )

  const startAll = async (at: Start): Promise<ReadonlyArray<NotificationId>> => {
    const started: Array<NotificationId> = []
    let due: ReadonlyArray<NotificationId>
    do {
      due = await orThrow(database.read((db) => dueBy(db, at.now)))
      for (const id of due) {
        if (await begin(id, at)) started.push(id)
        await nextTurn()
      }
    } while (due.length === LOOK)
    return started
  }

  return (now, life) => attempt(async () => E.right(await startAll({ now, life })))
}

/** The sending of notifications, shared by every process on the same database (G4, G5). */
export const makeDeliveries = (database: Database): Deliveries => {
  const run = queryCache()
  return {
    start: makeStart(database),
    claim: makeClaim(database, run),
    checkEligibility: (claim, recipients, now) =>
      pipe(
        database.read((db) => checkEligibility({ db, run }, claim, { recipients, now })),
        TE.flatMapEither(identity),
      ),
    record: (claim, results, at) =>
      database.write((db) => record({ db, run }, { claim, results, ...at }), QUIET),
    setAside: (claim, now) => database.write((db) => setAside({ db, run }, claim, now), QUIET),
    releaseDeferred: makeRelease(database, run),
    releaseClaim: (claim) => quietly(database, (db) => letGo(db, claim)),
    backlog: () => database.read(backlog),
    upcoming: () => database.read(upcoming),
    queue: (now) => database.read((db) => queue(db, now)),
  }
}
