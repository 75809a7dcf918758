import { type Instant, MOST_RETRIES, type SendingQueue } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { isWaiting } from './candidates.ts'
import { isOpen } from './open.ts'

/** A notification that no review has taken up. The text is that of its index's condition. */
export const isUntaken = sql<SqlBool>`started = 0 and due >= 0`

const firstDue = async (db: Db, now: Instant): Promise<Instant | undefined> => {
  const row = await db
    .selectFrom('notification')
    .select('due')
    .where(isUntaken)
    .where('due', '<=', now)
    .orderBy('due')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : (row.due as Instant)
}

/** The running deliveries: their start, and the number of remaining devices. */
const sending = (db: Db) =>
  db
    .selectFrom('delivery')
    .innerJoin('notification', 'notification.id', 'delivery.notification_id')
    .where(isOpen)
    .select(({ fn }) => [
      fn.min('notification.due').as('since'),
      sql<number>`coalesce(sum(recipients - delivered - failed - dead - skipped), 0)`.as('pending'),
    ])
    .executeTakeFirstOrThrow()

const waiting = (db: Db) => {
  const some = db
    .selectFrom('delivery')
    .where(isOpen)
    .crossJoin('retry')
    .whereRef('retry.delivery_id', '=', 'delivery.id')
    .where(isWaiting)
    .select('retry.device_id')
    .limit(MOST_RETRIES)
  return db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
}

/** What waits to be sent, from indexes that hold nothing else. */
export const queue = async (db: Db, now: Instant): Promise<SendingQueue> => {
  const due = await firstDue(db, now)
  const { since, pending } = await sending(db)
  const { count } = await waiting(db)
  const dates = [due, since].filter((date) => date !== undefined && date !== null)
  return {
    dueSince: O.fromNullable(due),
    unsentSince: dates.length === 0 ? O.none : O.some(Math.min(...dates) as Instant),
    pending,
    retries: count,
  }
}
