import type { TimedAct } from '@almoner/domain/access'
import type { PortfolioImage } from '@almoner/domain/media'
import type { PortfolioChanged, PortfolioContent, PortfolioHead } from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { type Database, type Db, UNBOUNDED } from '../../database/database.ts'
import { compiledQuery } from '../../database/query.ts'
import { makeList } from '../collections/ordered-table.ts'
import { recordAct } from '../history/record-act.ts'
import { challengeTable } from './challenge-table.ts'
import { datasetTable } from './dataset-table.ts'
import { organizationTable } from './organization-table.ts'
import { readContent } from './read-content.ts'
import { isSamePortfolio, replaceContent } from './replace.ts'
import { sectorTable } from './sector-table.ts'
import { introductionTable, programTable, summaryTable } from './text-tables.ts'

/** One statement, so that both tables are seen at one moment. */
const IMAGES = sql<PortfolioImage>`
  select 'logo' as kind, logo as name from portfolio_sector
  union select 'logo' as kind, logo as name from portfolio_organization
  union select 'visual' as kind, visual as name from portfolio_organization`

const headOf = (database: Database): Portfolio['head'] => {
  const head = compiledQuery((db) => db.selectFrom('portfolio').select(['name', 'organizations']).compile())
  return () =>
    database.read(async (db): Promise<PortfolioHead> => {
      const [row] = await head(db, [])
      return row ?? { name: '', organizations: 0 }
    })
}

const recordLoad = async (
  db: Db,
  before: PortfolioContent,
  content: PortfolioContent,
  act: TimedAct | undefined,
): Promise<void> => {
  if (!(await isSamePortfolio(before, content))) await recordAct(db, act, { kind: 'portfolio', id: '' })
}

/** The portfolio (H1 to H3). */
export const makePortfolio = (database: Database): Portfolio => ({
  head: headOf(database),
  sectors: makeList(database, sectorTable),
  organizations: makeList(database, organizationTable),
  introductions: makeList(database, introductionTable),
  summaries: makeList(database, summaryTable),
  programs: makeList(database, programTable),
  challenges: makeList(database, challengeTable),
  datasets: makeList(database, datasetTable),
  content: () => database.readSnapshot(readContent),
  images: () => database.read(async (db) => (await IMAGES.execute(db)).rows, UNBOUNDED),
  replace: (content, act) =>
    database.write(async (db): Promise<E.Either<never, void>> => {
      const replaced = await replaceContent(db, database.dialect, content)
      // Without a reviewed portfolio nothing is rejected.
      if (E.isRight(replaced)) await recordLoad(db, replaced.right, content, act)
      return E.right(undefined)
    }),
  replaceReviewed: ({ before, content }, act) =>
    database.write(async (db): Promise<E.Either<PortfolioChanged, void>> => {
      const replaced = await replaceContent(db, database.dialect, content, before)
      if (E.isLeft(replaced)) return replaced
      await recordLoad(db, replaced.right, content, act)
      return E.right(undefined)
    }),
})
