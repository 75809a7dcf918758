import {
  isSamePortfolio,
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

/** What refers to others goes first. */
const TABLES = [
  'portfolio_introduction',
  'portfolio_summary',
  'portfolio_program',
  'portfolio_challenge',
  'portfolio_dataset',
  'portfolio_organization_sector',
  'portfolio_organization',
  'portfolio_sector',
  'portfolio',
] as const

/** Rows of one statement: engines bound how many values it may hold. */
const ROWS = 50

const insert = async <T extends (typeof TABLES)[number]>(
  db: Db,
  table: T,
  rows: ReadonlyArray<Insertable<Tables[T]>>,
): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS)
    await db
      .insertInto(table)
      .values(rows.slice(from, from + ROWS))
      .execute()
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
  if (reviewed !== undefined && !isSamePortfolio(before, reviewed)) return E.left(PORTFOLIO_CHANGED)
  for (const table of TABLES) await db.deleteFrom(table).execute()
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
