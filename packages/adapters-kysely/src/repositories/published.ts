import type { Month, PublishedCount } from '@almoner/domain/operations'
import type { Language } from '@almoner/domain/values'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'

interface Row {
  readonly lang: Language
  readonly month: number
  readonly count: number
}

/** Returns an expression for the number of the month that a value of a column lies in. `ends` are the ends of all months but the last. */
const monthOf = (column: string, ends: ReadonlyArray<string | number>): RawBuilder<number> => {
  const cases = ends.map((end, at) => sql`when ${sql.ref(column)} < ${end} then ${sql.lit(at)}`)
  return cases.length === 0
    ? sql<number>`${sql.lit(0)}`
    : sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(ends.length)} end`
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
export const publishedIn = async (
  db: Db,
  months: ReadonlyArray<Month>,
): Promise<ReadonlyArray<PublishedCount>> => {
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
