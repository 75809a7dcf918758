import type { Instant } from '@almoner/domain'
import {
  type Backlog,
  MOST_RETRIES,
  type Pause,
  type SendingQueue,
  type Upcoming,
} from '@almoner/domain/delivery'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { isOpen } from '../people/audience.ts'
import { awaitedOrigins } from './releases.ts'
import { isWaiting } from './retries.ts'

/** A notification that no review has started. The text is that of its index's condition. */
export const isUnstarted = sql<SqlBool>`started = 0 and due >= 0`

const firstDue = async (db: Db, now: Instant): Promise<Instant | undefined> => {
  const row = await db
    .selectFrom('notification')
    .select('due')
    .where(isUnstarted)
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

/** Batches with a lease. */
const leased = (db: Db) =>
  db
    .selectFrom('delivery')
    .where(isOpen)
    .crossJoin('batch')
    .whereRef('batch.delivery_id', '=', 'delivery.id')
    .where('batch.closed', '=', 0)
    .where('lease_until', 'is not', null)

/** What there is left to do. */
export const backlog = async (db: Db): Promise<Backlog> => {
  const open = db.selectFrom('delivery').where(isOpen)
  const { sending } = await open
    .select(({ fn }) => fn.countAll<number>().as('sending'))
    .executeTakeFirstOrThrow()
  const { claimed } = await leased(db)
    .select(({ fn }) => fn.countAll<number>().as('claimed'))
    .executeTakeFirstOrThrow()
  return { sending, claimed, nextRetry: await nextRetry(db) }
}

/** When the first retry is due; devices that wait for their origin do not count. */
const nextRetry = async (db: Db): Promise<O.Option<Instant>> => {
  const open = db.selectFrom('delivery').where(isOpen)
  const firsts = open.select(({ selectFrom }) =>
    selectFrom('retry')
      .select('due_at')
      .whereRef('retry.delivery_id', '=', 'delivery.id')
      .where(isWaiting)
      .where('held_for', 'is', null)
      .orderBy('due_at')
      .limit(1)
      .as('due_at'),
  )
  const { next } = await db
    .selectFrom(firsts.as('first'))
    .select(({ fn }) => fn.min('due_at').as('next'))
    .executeTakeFirstOrThrow()
  return O.fromNullable(next)
}

/** Returns when a pause ends; none if an operator has to end it. */
const endOf = O.match(
  () => O.some(0 as Instant),
  ({ until }: Pause) => until,
)

/** The first origin that devices wait for which is not stopped, and when they may go on. */
const firstAwaited = async (db: Db) => {
  const [first] = (await awaitedOrigins(db))
    .flatMap(({ origin, ofAll, health: { pause } }) => {
      const ends = [pause, ofAll].map(endOf)
      return ends.some(O.isNone) ? [] : [{ origin, at: Math.max(...ends.flatMap(RA.fromOption)) as Instant }]
    })
    .sort((a, b) => a.at - b.at || (a.origin < b.origin ? -1 : 1))
  return O.fromNullable(first)
}

/** When there is something to send next, from indexes that hold nothing else. */
export const upcoming = async (db: Db): Promise<Upcoming> => {
  const { lease } = await leased(db)
    .select(({ fn }) => fn.min('lease_until').as('lease'))
    .executeTakeFirstOrThrow()
  const row = await db
    .selectFrom('notification')
    .select(['id', 'due as date'])
    .where(isUnstarted)
    .orderBy('due')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return {
    due: O.fromNullable(row && { id: row.id, date: row.date as Instant }),
    retry: await nextRetry(db),
    origin: await firstAwaited(db),
    lease: O.fromNullable(lease),
  }
}
