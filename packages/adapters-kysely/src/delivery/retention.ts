import type { Email, Instant } from '@almoner/domain'
import { isSettled } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { OldestEnded, Retention } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { type Deleted, makeDeleteFirst } from '../database/purges.ts'
import { paddedInLists, purging, QUIET } from '../database/writes.ts'
import { isOpen, pinRecipients } from '../people/audience.ts'
import { abandon, tallyOf } from './rows.ts'

/** The tables with rows of a delivery's devices, and their distinguishing columns. */
const PARTS = { batch: 'number', retry: 'device_id', recipient_snapshot: 'device_id', ledger: 'device_id' }

/** All tables with rows of a delivery: what people have seen stays as long as the notification (F7). */
const ALL_PARTS = { ...PARTS, seen_mark: 'email' }

/** Deletes at most this number of a delivery's rows in other tables. */
export type ClearRows = (db: Db, deliveryId: number, most: number) => Promise<Deleted>

const makeClear = (parts: Readonly<Record<string, string>>): ClearRows => {
  const deletions = Object.entries(parts).map(([table, column]) => makeDeleteFirst({ table, order: column }))
  return async (db, deliveryId, most) => {
    let gone = 0
    for (const deleteFirst of deletions) {
      const step = await deleteFirst(db, sql`delivery_id = ${deliveryId}`, most - gone)
      gone += step.gone
      if (!step.isOver) return { gone, isOver: false }
    }
    return { gone, isOver: true }
  }
}

/** Makes the deletion of a delivery's rows in all other tables. */
export const makeClearRows = (): ClearRows => makeClear(ALL_PARTS)

/** Rows that one call deletes at most: it holds up other writes for some milliseconds. */
const ROWS = 2000

/** Notifications that one call deletes at most. */
const NOTIFICATIONS = 200

/** A delivery with rows of devices. The text is that of its index's condition. */
const hasRows = sql<SqlBool>`has_rows = 1`

/** A delivery whose notification is not deleted. */
const hasNotification = sql<SqlBool>`notification_id is not null`

/** Finished deliveries by the time of their end. */
const byEnd = (db: Db, which: typeof hasRows) =>
  db.selectFrom('delivery').where(which).where('finished_at', 'is not', null).orderBy('finished_at')

const purgeDelivery = async (db: Db, endedBy: Instant, clear: ClearRows): Promise<number> => {
  const delivery = await byEnd(db, hasRows)
    .select('id')
    .where('finished_at', '<=', endedBy)
    .limit(1)
    .executeTakeFirst()
  if (delivery === undefined) return 0
  const { gone, isOver } = await clear(db, delivery.id, ROWS)
  if (!isOver) return gone
  await db.updateTable('delivery').set({ has_rows: 0 }).where('id', '=', delivery.id).execute()
  // The delivery itself counts too: there may be others behind one that had no rows.
  return gone + 1
}

const purgeEnded = async (db: Db, endedBy: Instant): Promise<number> => {
  const rows = await byEnd(db, hasNotification)
    .select((row) => row.ref('notification_id').$notNull().as('id'))
    .where('finished_at', '<=', endedBy)
    .limit(NOTIFICATIONS)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('notification').where('id', 'in', ids).execute()
  await abandon(db, ids)
  return ids.length
}

const oldest = async (db: Db, which: typeof hasRows): Promise<O.Option<Instant>> => {
  const row = await byEnd(db, which).select('finished_at').limit(1).executeTakeFirst()
  return O.fromNullable(row?.finished_at)
}

/** The retention of ended notifications (G8). */
export const makeRetention = (database: Database): Retention => {
  const clear = makeClear(PARTS)
  return {
    // No cache holds per-device rows.
    purgeDeliveries: (endedBy) => purging(database, (db) => purgeDelivery(db, endedBy, clear), QUIET),
    purgeNotifications: (endedBy) =>
      purging(database, (db) => purgeEnded(db, endedBy), { notify: ['notifications'] }),
    oldestEnded: () =>
      database.read(
        async (db): Promise<OldestEnded> => ({
          deliveryRows: await oldest(db, hasRows),
          notification: await oldest(db, hasNotification),
        }),
      ),
  }
}

/** A recipient of a running delivery without an outcome; `batch` is that of a retry in a batch. */
interface Pending {
  readonly device_id: DeviceId
  readonly batch: number | null
}

/** Locks the running deliveries until the transaction ends, so that no results are recorded meanwhile. */
export const lockedDeliveries = (db: Db) =>
  db.selectFrom('delivery').selectAll().where(isOpen).orderBy('id').forNoKeyUpdate().execute()

type OpenDelivery = Awaited<ReturnType<typeof lockedDeliveries>>[number]

/** Returns the recipients of a delivery that belong to a person and have no outcome. All of them are in rows: the others are pinned first. */
const pendingOf = async (db: Db, { id }: OpenDelivery, email: Email): Promise<ReadonlyArray<Pending>> => {
  const retries = await db
    .selectFrom('retry')
    .select(['device_id', 'batch'])
    .where('email', '=', email)
    .where('delivery_id', '=', id)
    .execute()
  const waiting = new Set(retries.map(({ device_id }) => device_id))
  const pins = await db
    .selectFrom('recipient_snapshot')
    .select('device_id')
    .where('email', '=', email)
    .where('delivery_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger')
            .select('outcome')
            .where('ledger.delivery_id', '=', id)
            .whereRef('ledger.device_id', '=', 'recipient_snapshot.device_id'),
        ),
      ),
    )
    .execute()
  const fresh = pins.filter(({ device_id }) => !waiting.has(device_id))
  return [...retries, ...fresh.map(({ device_id }) => ({ device_id, batch: null }))]
}

/** Takes a recipient out of the batch that counts it among its remaining ones, if any. */
const leaveBatch = async (db: Db, { id }: OpenDelivery, { device_id, batch }: Pending): Promise<void> => {
  await db
    .updateTable('batch')
    .set(({ eb }) => ({ remaining: eb('remaining', '-', 1) }))
    .where('delivery_id', '=', id)
    .where('closed', '=', 0)
    .where('remaining', '>', 0)
    .$if(batch !== null, (query) => query.where('number', '=', batch))
    .$if(batch === null, (query) =>
      query.where('after_device', '<', device_id).where('upto_device', '>=', device_id),
    )
    .execute()
}

/** Counts a person's recipients without an outcome as skipped; the delivery ends with its last recipient (G5). */
const skipPending = async (db: Db, delivery: OpenDelivery, email: Email, now: Instant): Promise<void> => {
  const pending = await pendingOf(db, delivery, email)
  if (pending.length === 0) return
  for (const one of pending) await leaveBatch(db, delivery, one)
  const before = tallyOf(delivery)
  const tally = { ...before, skipped: before.skipped + pending.length }
  const isOver = isSettled({ recipients: delivery.recipients, tally })
  await db
    .updateTable('delivery')
    .set(isOver ? { ...tally, finished_at: now, sending: 0 } : tally)
    .where('id', '=', delivery.id)
    .execute()
}

/** Returns the numbers of devices under which a person's deliveries are stored: present devices, and those that rows name. */
export const deviceIdsOf = async (db: Db, email: Email): Promise<ReadonlyArray<DeviceId>> => {
  const devices = await db.selectFrom('device').select('id').where('email', '=', email).execute()
  const ids = new Set(devices.map(({ id }) => id))
  for (const table of ['recipient_snapshot', 'retry'] as const) {
    const rows = await db.selectFrom(table).select('device_id').where('email', '=', email).execute()
    for (const { device_id } of rows) ids.add(device_id)
  }
  return [...ids]
}

const deleteLedger = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<void> => {
  for (const list of paddedInLists(ids))
    await db
      .deleteFrom('ledger')
      .where('delivery_id', 'in', ({ selectFrom }) =>
        selectFrom('delivery').select('id').where(sql<boolean>`has_rows = 1`),
      )
      .where('device_id', 'in', list)
      .execute()
}

/**
 * Deletes a person's rows of all deliveries, whose totals stay: devices without an outcome count as skipped (L1). The person's devices must be
 * locked, and the running deliveries too. Returns the number of rows deleted beside those of the ledger.
 */
export const eraseRecipients = async (
  db: Db,
  deliveries: ReadonlyArray<OpenDelivery>,
  email: Email,
  now: Instant,
): Promise<number> => {
  await pinRecipients(db, { by: 'device.email', values: [email] })
  const ids = await deviceIdsOf(db, email)
  for (const delivery of deliveries) await skipPending(db, delivery, email, now)
  await deleteLedger(db, ids)
  let count = 0
  for (const table of ['recipient_snapshot', 'retry'] as const) {
    const gone = await db.deleteFrom(table).where('email', '=', email).returning('device_id').execute()
    count += gone.length
  }
  return count
}
