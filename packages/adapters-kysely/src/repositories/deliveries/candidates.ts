import type { Instant } from '@almoner/domain'
import { type ClaimRequest, latestLease } from '@almoner/domain/notifications'
import type { NotificationId } from '@almoner/domain/values'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { isOpen } from './delivery-rows.ts'

/** What may be claimed of a notification that is being sent. */
export type Candidate = { readonly notificationId: NotificationId } & (
  | { readonly kind: 'batch'; readonly number: number }
  | { readonly kind: 'retries' }
  | { readonly kind: 'unclaimed' }
)

/** A batch without a valid lease: the negation of `isHeld` in SQL. */
export const isFree = (now: Instant) =>
  sql<SqlBool>`(lease_until is null or lease_until <= ${now} or lease_until > ${latestLease(now)})`

/** A recipient that waits for a retry. The text is that of its index's condition. */
export const isWaiting = sql<SqlBool>`retry.batch is null`

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

const freeBatch: Find = async (db, { now, except }, locking) => {
  const rows = await byTurn(db, locking)
    .crossJoin('batch')
    .select('batch.number')
    .whereRef('batch.delivery_id', '=', 'delivery.id')
    .where('batch.closed', '=', 0)
    .where(isFree(now))
    .orderBy('batch.number')
    // One more than are left out: if there is another, it is among them.
    .limit(except.length + 1)
    .execute()
  const isServed = (row: (typeof rows)[number]) =>
    except.some((one) => one.notificationId === row.notification_id && one.number === row.number)
  const found = rows.find((row) => !isServed(row))
  return found && { kind: 'batch', notificationId: found.notification_id, number: found.number }
}

const dueRetries: Find = async (db, { now }, locking) => {
  const found = await byTurn(db, locking)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('retry')
          .select('device_id')
          .whereRef('retry.delivery_id', '=', 'delivery.id')
          .where(isWaiting)
          .where('due_at', '<=', now),
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
