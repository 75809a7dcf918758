import type { Instant } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import { NO_OUTCOMES, OUTCOMES, type Outcome, type Tally } from '@almoner/domain/notifications'
import {
  type DeskCounts,
  type DeviceCount,
  dayAmong,
  firstLease,
  type ItemCount,
  type JobLease,
  type Month,
  type PublishedCount,
} from '@almoner/domain/operations'
import type { JobLeases, Node, Nodes, Statistics } from '@almoner/domain/ports'
import { addMillis, type Language, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type SqlBool, sql } from 'kysely'
import { OLDER_LIVE } from './content/translations.ts'
import { type Database, type Db, UNBOUNDED } from './database/database.ts'
import { quietly } from './database/writes.ts'
import { tallyOf } from './delivery/rows.ts'
import { monthOf, peopleIn, sentIn, topicsIn } from './results.ts'
import type { NodeRow } from './schema/service.table.ts'

/** Counts Live publications in one language without a Live counterpart in the other. */
const lackingBeside = async (db: Db, lang: Language): Promise<number> => {
  const [own, other] = lang === 'en' ? (['en_id', 'fr_id'] as const) : (['fr_id', 'en_id'] as const)
  const { count } = await db
    .selectFrom('library_item as item')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('item.status', '=', 'Live')
    .where('item.lang', '=', lang)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('translation')
            .innerJoin('library_item as counterpart', 'counterpart.id', `translation.${other}`)
            .select('counterpart.id')
            .whereRef(`translation.${own}`, '=', 'item.id')
            .where('counterpart.status', '=', 'Live'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Counts Live publications that are older than their Live counterparts. */
const countOlder = async (db: Db): Promise<number> => {
  const { rows } = await sql<{
    readonly count: number | string
  }>`select count(*) as count from (${sql.raw(OLDER_LIVE)}) as older`.execute(db)
  // PostgreSQL's driver returns counts as text.
  return Number(rows[0]?.count)
}

/** Counts what waits for content managers, as `countDesk` does. */
const countsOfDesk = async (db: Db): Promise<DeskCounts> => {
  const { waiting, oldest } = await db
    .selectFrom('feed_item')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
    .where('status', '=', 'Draft')
    .executeTakeFirstOrThrow()
  return {
    waiting,
    oldestWaiting: O.fromNullable(oldest),
    lacking: { en: await lackingBeside(db, 'fr'), fr: await lackingBeside(db, 'en') },
    older: await countOlder(db),
  }
}

interface Row {
  readonly lang: Language
  readonly month: number
  readonly count: number
}

const countsOn = async (
  db: Db,
  table: 'library_item' | 'feed_item',
  column: string,
  edges: ReadonlyArray<string | number>,
): Promise<ReadonlyArray<Row>> => {
  const { rows } =
    await sql<Row>`select lang, ${monthOf(column, edges.slice(1, -1))} as month, count(*) as count
    from ${sql.table(table)}
    where status = 'Live' and ${sql.ref(column)} >= ${edges[0]} and ${sql.ref(column)} < ${edges.at(-1)}
    group by lang, month`.execute(db)
  return rows
}

/** Counts the Live items of each month but the last, which is only an end. Reads the Live items of these months. */
const publishedIn = async (db: Db, months: ReadonlyArray<Month>): Promise<ReadonlyArray<PublishedCount>> => {
  if (months.length < 2) return []
  const [days, moments] = [months.map(({ first }) => first), months.map(({ begins }) => begins)]
  const library = await countsOn(db, 'library_item', 'publication_date', days)
  const feed = await countsOn(db, 'feed_item', 'created_at', moments)
  const by = (rows: ReadonlyArray<Row>, at: number) => {
    const of = (lang: Language) =>
      Number(rows.find((row) => row.lang === lang && row.month === at)?.count ?? 0)
    return { en: of('en'), fr: of('fr') }
  }
  return months.slice(0, -1).map((_, at) => ({ library: by(library, at), feed: by(feed, at) }))
}

type Counts = Record<Outcome, number>

const add = (to: Counts | undefined, more: Tally): void => {
  if (to !== undefined) for (const outcome of OUTCOMES) to[outcome] += more[outcome]
}

/** A day's number, as an expression over a column of times, for days from `first` to `last`; -1 is before the first of all. */
const dayOf = (column: string, days: ReadonlyArray<Instant>, first: number, last: number) => {
  const at = sql.ref(column)
  const cases = Array.from({ length: last - first }, (_, n) => {
    return sql`when ${at} < ${days[first + n + 1]} then ${sql.lit(first + n)}`
  })
  return cases.length === 0
    ? sql<number>`${sql.lit(first)}`
    : sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(last)} end`
}

/** What the ledger holds of one delivery, by day. */
const fromLedger = async (
  db: Db,
  delivery: number,
  days: ReadonlyArray<Instant>,
  [first, last]: readonly [number, number],
) => {
  const from = days[Math.max(first, 0)] as Instant
  return db
    .selectFrom('ledger')
    .select(['outcome', dayOf('at', days, Math.max(first, 0), last).as('day')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('delivery_id', '=', delivery)
    .where('at', '>=', from)
    .groupBy(['outcome', 'day'])
    .execute()
}

/** The deliveries of these days: of notifications that are there, and not ended before. */
const deliveriesOn = (db: Db, begin: Instant) =>
  db
    .selectFrom('delivery')
    .where('notification_id', 'is not', null)
    .where(({ or, eb }) => or([eb('finished_at', 'is', null), eb('finished_at', '>=', begin)]))

/**
 * Counts outcomes by day. Of a delivery that began and ended on one day the row has the counts, which the database adds up; the ledger is
 * asked of those alone that went on over midnight. Where its rows are deleted (G8), all count on the day of the end.
 */
const outcomesByDay = async (db: Db, days: ReadonlyArray<Instant>): Promise<ReadonlyArray<Tally>> => {
  const tallies = days.map((): Counts => ({ ...NO_OUTCOMES }))
  const [begin] = days
  if (begin === undefined) return tallies
  const last = days.length - 1
  const ended = sql<number>`case when finished_at is null then ${sql.lit(last)} else ${dayOf('finished_at', days, 0, last)} end`
  const isOfOneDay = sql<SqlBool>`(has_rows = 0 or ${dayOf('started_at', days, -1, last)} = ${ended})`
  const sums = await deliveriesOn(db, begin)
    .where(isOfOneDay)
    .select(ended.as('day'))
    .select(({ fn }) => OUTCOMES.map((outcome) => fn.sum<number | string>(outcome).as(outcome)))
    .groupBy('day')
    .execute()
  // PostgreSQL's driver returns sums as text.
  for (const { day, ...sum } of sums)
    add(
      tallies[day],
      tallyOf({
        delivered: Number(sum.delivered),
        failed: Number(sum.failed),
        dead: Number(sum.dead),
        skipped: Number(sum.skipped),
      }),
    )
  const others = await deliveriesOn(db, begin)
    .where(sql<SqlBool>`not ${isOfOneDay}`)
    .select(['id', 'started_at', 'finished_at'])
    .execute()
  for (const row of others) {
    const range = [
      dayAmong(days, row.started_at),
      row.finished_at === null ? last : dayAmong(days, row.finished_at),
    ] as const
    for (const { outcome, day, count } of await fromLedger(db, row.id, days, range))
      add(tallies[day], { ...NO_OUTCOMES, [outcome]: count })
  }
  return tallies
}

const ITEM_TABLES = { library: 'library_item', feed: 'feed_item' } as const

const itemsOn = async (db: Db, contentType: ContentType): Promise<ReadonlyArray<ItemCount>> => {
  const rows = await db
    .selectFrom(ITEM_TABLES[contentType])
    .select(['status', 'lang'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['status', 'lang'])
    .execute()
  return rows.map((row) => ({ contentType, ...row }))
}

const devices = (db: Db): Promise<ReadonlyArray<DeviceCount>> =>
  db
    .selectFrom('device')
    .select('kind')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy('kind')
    .execute()

/**
 * Counts the tables on a separate connection. It scans items and devices, which takes seconds with millions of them: an index would not pay for
 * rare queries.
 */
export const makeStatistics = (database: Database): Statistics => ({
  survey: (days) =>
    database.readSnapshot(
      async (db) => ({
        items: [...(await itemsOn(db, 'library')), ...(await itemsOn(db, 'feed'))],
        devices: await devices(db),
        deliveries: await outcomesByDay(db, days),
      }),
      { timeout: 'none' },
    ),

  desk: () => database.readSnapshot(countsOfDesk, UNBOUNDED),

  published: (months) => database.readSnapshot((db) => publishedIn(db, months), { timeout: 'none' }),

  reach: (months) =>
    database.readSnapshot(
      async (db) => ({
        sent: await sentIn(db, months),
        devices: await devices(db),
        people: await peopleIn(db),
        topics: await topicsIn(db, database.dialect),
      }),
      { timeout: 'none' },
    ),
})

const nodeOf = ({ id, name, last_seen_at, settings }: NodeRow): Node => ({
  id,
  name,
  lastSeenAt: last_seen_at,
  settings: JSON.parse(settings),
})

/** The tables of running servers: heartbeats, leases of jobs, and wrong credentials and requests of the last minute. */
export const SERVER_TABLES: ReadonlyArray<string> = ['node', 'job_lease', 'failed_attempt', 'counted_request']

/** The running servers of a database. They are not cached, so all writes are quiet. */
export const makeNodes = (database: Database): Nodes => ({
  beat: ({ id, name, lastSeenAt, settings }, forgotten) =>
    quietly(database, async (db) => {
      const columns = { name, last_seen_at: lastSeenAt, settings: JSON.stringify(settings) }
      await db
        .insertInto('node')
        .values({ id, ...columns })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
        .execute()
      // Those ahead of this beat: `isFarAhead`.
      await db
        .deleteFrom('node')
        .where(({ eb }) =>
          eb.or([eb('last_seen_at', '<', forgotten), eb('last_seen_at', '>', addMillis(lastSeenAt, MINUTE))]),
        )
        .execute()
    }),

  since: (moment) =>
    database.read(async (db) => {
      const rows = await db
        .selectFrom('node')
        .selectAll()
        .where('last_seen_at', '>=', moment)
        .orderBy('name')
        .orderBy('id')
        .execute()
      return rows.map(nodeOf)
    }),

  deregister: (id) =>
    quietly(database, async (db) => {
      await db.deleteFrom('node').where('id', '=', id).execute()
    }),
})

/** Stores the lease that follows the one before, and returns whether that one was stored. */
const replaceLease = async (db: Db, { job, step, heldUntil, ranAt }: JobLease): Promise<boolean> => {
  const cells = { step, held_until: O.toNullable(heldUntil), ran_at: O.toNullable(ranAt) }
  if (step === 1) {
    const inserted = await db
      .insertInto('job_lease')
      .values({ job, ...cells })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await db
    .updateTable('job_lease')
    .set(cells)
    .where('job', '=', job)
    .where('step', '=', step - 1)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** The leases of jobs. */
export const makeJobLeases = (database: Database): JobLeases => ({
  find: (job) =>
    database.read(async (db) => {
      const row = await db.selectFrom('job_lease').selectAll().where('job', '=', job).executeTakeFirst()
      return row === undefined
        ? firstLease(job)
        : {
            job,
            step: row.step,
            heldUntil: O.fromNullable(row.held_until),
            ranAt: O.fromNullable(row.ran_at),
          }
    }),

  replace: (next) => quietly(database, (db) => replaceLease(db, next)),
})
