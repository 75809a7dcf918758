import type { Instant } from '@almoner/domain'
import { type ClaimRequest, isHeld, latestLease, type Recipient } from '@almoner/domain/delivery'
import { latestNoted, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { isOpen } from '../people/audience.ts'
import type { BatchRow, RetryRow } from '../schema/delivery.table.ts'
import type { LiveDelivery } from './rows.ts'

/** What may be claimed of a notification that is being sent. */
export type Candidate = { readonly notificationId: NotificationId } & (
  | { readonly kind: 'batch'; readonly number: number }
  | { readonly kind: 'retries' }
  | { readonly kind: 'unclaimed' }
)

/** A batch without a valid lease: the negation of `isHeld` in SQL. */
const isFree = (now: Instant) =>
  sql<SqlBool>`(lease_until is null or lease_until <= ${now} or lease_until > ${latestLease(now)})`

type LeasedBatch = Pick<Selectable<BatchRow>, 'number' | 'fence' | 'lease_until'>

/** Whether a batch may be claimed: it has no lease, or a lease whose end has come and which its holder has not renewed (I9). */
export const isClaimable = (
  notificationId: NotificationId,
  { number, fence, lease_until: until }: LeasedBatch,
  { now, isAbandoned }: ClaimRequest,
): boolean => {
  if (until === null) return true
  // Asked in any case: the watch over a lease begins with the first question.
  const isLeft = isAbandoned({ notificationId, number, fence, until })
  return isLeft && !isHeld(O.some(until), now)
}

/** A recipient that waits for a retry. The text is that of its index's condition. */
export const isWaiting = sql<SqlBool>`retry.batch is null`

/** A retry whose time has come. */
const isDue = (now: Instant) => sql<SqlBool>`due_at <= ${now}`

/** A retry that was planned by a clock that was ahead (`isFarAhead`): its time may never come, so that it is due (I9). */
const isPlannedAhead = (now: Instant) => sql<SqlBool>`planned_at > ${latestNoted(now)}`

/** How to treat deliveries that another transaction has locked, and whether to lock the result. */
export type Locking = 'look' | 'lock those that are free'

/** The running deliveries in alternating order. */
const byTurn = (db: Db, locking: Locking) =>
  db
    .selectFrom('delivery')
    .where(isOpen)
    .select(({ ref }) => ref('delivery.notification_id').$notNull().as('notification_id'))
    .orderBy('delivery.last_turn')
    .orderBy('delivery.id')
    .$if(locking !== 'look', (query) => query.forNoKeyUpdate('delivery').skipLocked())

type Find = (db: Db, request: ClaimRequest, locking: Locking) => Promise<Candidate | undefined>

/** Batches that are looked at: more than many processes have open. */
const MOST_BATCHES = 1000

const freeBatch: Find = async (db, request, locking) => {
  const rows = await byTurn(db, locking)
    .crossJoin('batch')
    .select(['batch.number', 'batch.fence', 'batch.lease_until'])
    .whereRef('batch.delivery_id', '=', 'delivery.id')
    .where('batch.closed', '=', 0)
    .$if(locking !== 'look', (query) => query.where(isFree(request.now)))
    .orderBy('batch.number')
    .limit(MOST_BATCHES)
    .execute()
  const isServed = (row: (typeof rows)[number]) =>
    request.except.some((one) => one.notificationId === row.notification_id && one.number === row.number)
  const found = rows
    .filter((row) => !isServed(row))
    .filter((row) => isClaimable(row.notification_id, row, request))[0]
  return found && { kind: 'batch', notificationId: found.notification_id, number: found.number }
}

const dueRetries: Find = async (db, { now }, locking) => {
  const found = await byTurn(db, locking)
    .where(({ exists, or, selectFrom }) =>
      or(
        // Each by its own index.
        [isDue(now), isPlannedAhead(now)].map((isReady) =>
          exists(
            selectFrom('retry')
              .select('device_id')
              .whereRef('retry.delivery_id', '=', 'delivery.id')
              .where(isWaiting)
              .where(isReady),
          ),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return found && { kind: 'retries', notificationId: found.notification_id }
}

const unclaimed: Find = async (db, _, locking) => {
  const found = await byTurn(db, locking)
    .whereRef('claimed_upto', '<', 'last_device')
    .limit(1)
    .executeTakeFirst()
  return found && { kind: 'unclaimed', notificationId: found.notification_id }
}

/** Returns the next work for a claim, if any: free batches first, then retries and new recipients in the order of the request. */
export const candidateFor: Find = async (db, request, locking) => {
  const [first, second] = request.first === 'retries' ? [dueRetries, unclaimed] : [unclaimed, dueRetries]
  return (
    (await freeBatch(db, request, locking)) ??
    (await first(db, request, locking)) ??
    second(db, request, locking)
  )
}

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
