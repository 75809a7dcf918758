import type { Instant } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/library'
import { NO_OUTCOMES, OUTCOMES, type Outcome, type Tally } from '@almoner/domain/notifications'
import { type DeviceCount, dayAmong, type ItemCount, type Statistics } from '@almoner/domain/ports'
import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { tallyOf } from './deliveries/delivery-rows.ts'
import { countsOfDesk } from './desk.ts'
import { publishedIn } from './published.ts'

type Counts = Record<Outcome, number>

const add = (to: Counts | undefined, more: Tally): void => {
  if (to !== undefined) for (const outcome of OUTCOMES) to[outcome] += more[outcome]
}

/** A day's number, as an expression over the ledger's times; the days between two are all that is asked of each row. */
const dayOfRow = (days: ReadonlyArray<Instant>, first: number, last: number) => {
  const cases = Array.from({ length: last - first }, (_, n) => {
    return sql`when at < ${days[first + n + 1]} then ${sql.lit(first + n)}`
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
    .select(['outcome', dayOfRow(days, Math.max(first, 0), last).as('day')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('delivery_id', '=', delivery)
    .where('at', '>=', from)
    .groupBy(['outcome', 'day'])
    .execute()
}

/**
 * Counts outcomes by day. Of a delivery that began and ended on one day the row has the counts; the ledger is asked of those alone that
 * went on over midnight. Where its rows are deleted (G8), all count on the day of the end.
 */
export const outcomesByDay = async (db: Db, days: ReadonlyArray<Instant>): Promise<ReadonlyArray<Tally>> => {
  const tallies = days.map((): Counts => ({ ...NO_OUTCOMES }))
  const [begin] = days
  if (begin === undefined) return tallies
  const deliveries = await db
    .selectFrom('delivery')
    .select(['id', 'has_rows', 'started_at', 'finished_at', 'delivered', 'failed', 'dead', 'skipped'])
    .where('notification_id', 'is not', null)
    .where(({ or, eb }) => or([eb('finished_at', 'is', null), eb('finished_at', '>=', begin)]))
    .execute()
  for (const row of deliveries) {
    const first = dayAmong(days, row.started_at)
    const last = row.finished_at === null ? days.length - 1 : dayAmong(days, row.finished_at)
    if (first === last || row.has_rows === 0) add(tallies[last], tallyOf(row))
    else
      for (const { outcome, day, count } of await fromLedger(db, row.id, days, [first, last]))
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

  desk: () => database.readSnapshot(countsOfDesk),

  published: (months) => database.readSnapshot((db) => publishedIn(db, months), { timeout: 'none' }),
})
