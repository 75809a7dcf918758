import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  comparing,
  PORTFOLIO_CHANGED,
  type PortfolioChanged,
  type PortfolioContent,
} from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import { type Insertable, sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'
import type { Tables } from '../../schema/schema.ts'
import { challengeRow } from './challenge-table.ts'
import { datasetRow } from './dataset-table.ts'
import { organizationRow } from './organization-table.ts'
import { readContent } from './read-content.ts'
import { sectorRow } from './sector-table.ts'
import { introductionRow, programRow, summaryRow } from './text-tables.ts'

/** The tables with their keys. What refers to others goes first. */
const TABLES = [
  ['portfolio_introduction', ['organization_id', 'lang', 'rank']],
  ['portfolio_summary', ['organization_id', 'lang', 'rank']],
  ['portfolio_program', ['organization_id', 'lang', 'rank']],
  ['portfolio_challenge', ['organization_id', 'id', 'lang']],
  ['portfolio_dataset', ['organization_id', 'year']],
  ['portfolio_organization_sector', ['organization_id', 'sector_id']],
  ['portfolio_organization', ['id']],
  ['portfolio_sector', ['id']],
] as const

type TableName = (typeof TABLES)[number][0] | 'portfolio'

/** Rows of one statement: engines bound how many values it may hold. */
const ROWS = 50

/** Rows that one statement deletes. */
const DELETED = 500

/** Deletes all rows of a table in pieces, and lets other work run in between (I6). */
const empty = async (db: Db, table: string, columns: ReadonlyArray<string>): Promise<void> => {
  const [name, key] = [sql.table(table), sql.join(columns.map((column) => sql.ref(column)))]
  for (;;) {
    const piece = sql<Record<string, string | number>>`
      select ${key} from ${name} order by ${key} limit 1 offset ${DELETED - 1}`
    const [last] = (await piece.execute(db)).rows
    if (last === undefined) break
    await sql`delete from ${name} where (${key}) <= (${sql.join(columns.map((column) => last[column]))})`.execute(
      db,
    )
    await nextTurn()
  }
  await sql`delete from ${name}`.execute(db)
}

/** Inserts rows in pieces, and lets other work run in between (I6). */
const insert = async <T extends TableName>(
  db: Db,
  table: T,
  rows: ReadonlyArray<Insertable<Tables[T]>>,
): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS) {
    await db
      .insertInto(table)
      .values(rows.slice(from, from + ROWS))
      .execute()
    await nextTurn()
  }
}

/** Compares two portfolios in pieces, and lets other work run in between (I6). */
export const isSamePortfolio = async (
  before: PortfolioContent,
  after: PortfolioContent,
): Promise<boolean> => {
  const pieces = comparing(before, after, (text) => text)
  for (;;) {
    const step = pieces.next()
    if (step.done === true) return step.value.isSame
    await nextTurn()
  }
}

/**
 * Replaces the whole portfolio, inside a transaction, and returns the one before (H1). Of two replacements at once, the second waits for the
 * first.
 * @param reviewed what must be there before
 */
export const replaceContent = async (
  db: Db,
  { locksRows }: SqlDialect,
  content: PortfolioContent,
  reviewed?: PortfolioContent,
): Promise<E.Either<PortfolioChanged, PortfolioContent>> => {
  if (locksRows) await sql`lock table portfolio in share row exclusive mode`.execute(db)
  const before = await readContent(db)
  if (reviewed !== undefined && !(await isSamePortfolio(before, reviewed))) return E.left(PORTFOLIO_CHANGED)
  for (const [table, key] of TABLES) await empty(db, table, key)
  await db.deleteFrom('portfolio').execute()
  const { name, organizations } = content
  await insert(db, 'portfolio', [{ name, organizations: organizations.length }])
  await insert(db, 'portfolio_sector', content.sectors.map(sectorRow))
  await insert(db, 'portfolio_organization', organizations.map(organizationRow))
  const held = organizations.flatMap(({ id, sectors }) =>
    sectors.map((sector) => ({ organization_id: id, sector_id: sector })),
  )
  await insert(db, 'portfolio_organization_sector', held)
  await insert(db, 'portfolio_introduction', content.introductions.map(introductionRow))
  await insert(db, 'portfolio_summary', content.summaries.map(summaryRow))
  await insert(db, 'portfolio_program', content.programs.map(programRow))
  await insert(db, 'portfolio_challenge', content.challenges.map(challengeRow))
  await insert(db, 'portfolio_dataset', content.datasets.map(datasetRow))
  return E.right(before)
}
