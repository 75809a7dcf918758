import { OUTCOMES } from '@almoner/domain/notifications'
import {
  type Month,
  NOTHING_SENT,
  type Reach,
  type SentCount,
  type SentMonth,
} from '@almoner/domain/operations'
import type { Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, SqlDialect } from './database/database.ts'

/** Returns an expression for the number of the month that a value of a column lies in. `ends` are the ends of all months but the last. */
export const monthOf = (column: string, ends: ReadonlyArray<string | number>): RawBuilder<number> => {
  const cases = ends.map((end, at) => sql`when ${sql.ref(column)} < ${end} then ${sql.lit(at)}`)
  return cases.length === 0
    ? sql<number>`${sql.lit(0)}`
    : sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(ends.length)} end`
}

const COUNTED = ['recipients', ...OUTCOMES] as const

/** Counts the notifications that were started in each month but the last, which is only an end, by language. */
export const sentIn = async (db: Db, months: ReadonlyArray<Month>): Promise<ReadonlyArray<SentMonth>> => {
  const moments = months.map(({ begins }) => begins)
  const [first, last] = [moments[0], moments.at(-1)]
  if (first === undefined || last === undefined) return []
  const rows = await db
    .selectFrom('delivery')
    .select(['lang', monthOf('started_at', moments.slice(1, -1)).as('month')])
    .select(({ fn }) => fn.countAll<number | string>().as('notifications'))
    .select(({ fn }) => COUNTED.map((column) => fn.sum<number | string>(column).as(column)))
    .where('notification_id', 'is not', null)
    .where('started_at', '>=', first)
    .where('started_at', '<', last)
    .groupBy(['lang', 'month'])
    .execute()
  const by = (lang: Language, at: number): SentCount => {
    const row = rows.find((one) => one.lang === lang && one.month === at)
    if (row === undefined) return NOTHING_SENT
    const { lang: _, month: __, ...counts } = row
    // PostgreSQL's driver returns counts and sums as text.
    return Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, Number(count)]),
    ) as unknown as SentCount
  }
  return months.slice(0, -1).map((_, at) => ({ en: by('en', at), fr: by('fr', at) }))
}

/** Counts people by language, and by whether they want notifications. */
export const peopleIn = async (db: Db): Promise<Reach['people']> => {
  const rows = await db
    .selectFrom('person')
    .select(['lang', 'subscribed'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['lang', 'subscribed'])
    .execute()
  return rows.map(({ lang, subscribed, count }) => ({
    lang,
    subscribed: subscribed === 1,
    count: Number(count),
  }))
}

/** Counts the people who want notifications by the labels that they follow, and the followers of everything. */
export const topicsIn = async (db: Db, dialect: SqlDialect): Promise<Reach['topics']> => {
  const all = await db
    .selectFrom('person')
    .select('lang')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('subscribed', '=', 1)
    .where('topics', '=', '[]')
    .groupBy('lang')
    .execute()
  const holds = sql<SqlBool>`${sql.raw(dialect.listHolds('person.topics', 'label.label_id'))}`
  const some = await db
    .selectFrom('label')
    .innerJoin('person', (join) => join.on(holds))
    .select(['label.label_id', 'person.lang'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person.subscribed', '=', 1)
    .where('person.topics', '<>', '[]')
    .groupBy(['label.label_id', 'person.lang'])
    .execute()
  return [
    ...all.map(({ lang, count }) => ({ labelId: O.none, lang, count: Number(count) })),
    ...some.map(({ label_id, lang, count }) => ({ labelId: O.some(label_id), lang, count: Number(count) })),
  ]
}
