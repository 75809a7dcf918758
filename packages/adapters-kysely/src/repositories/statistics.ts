import type { Instant } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import { NO_OUTCOMES, OUTCOMES, type Outcome, type Tally } from '@almoner/domain/notifications'
import { type DeviceCount, dayAmong, type ItemCount } from '@almoner/domain/operations'
import type { Statistics } from '@almoner/domain/ports'
import { type SqlBool, sql } from 'kysely'
import { type Database, type Db, UNBOUNDED } from '../database/database.ts'
import { tallyOf } from './deliveries/delivery-rows.ts'
import { countsOfDesk } from './desk.ts'
import { publishedIn } from './published.ts'

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
export const outcomesByDay = async (db: Db, days: ReadonlyArray<Instant>): Promise<ReadonlyArray<Tally>> => {
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
})
