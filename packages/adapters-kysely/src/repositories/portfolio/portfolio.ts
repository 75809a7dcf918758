import type { Portfolio, PortfolioHead, PortfolioImage } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { statement } from '../../database/compiled-query.ts'
import type { Runner } from '../../database/runner.ts'
import { challengeTable } from './challenge-table.ts'
import { readContent } from './content.ts'
import { datasetTable } from './dataset-table.ts'
import { makePortfolioList } from './list.ts'
import { organizationTable } from './organization-table.ts'
import { replaceContent } from './replace.ts'
import { sectorTable } from './sector-table.ts'
import { introductionTable, programTable, summaryTable } from './text-tables.ts'

/** One statement, so that both tables are seen at one moment. */
const IMAGES = sql<PortfolioImage>`
  select 'logo' as kind, logo as name from portfolio_sector
  union select 'logo' as kind, logo as name from portfolio_organization
  union select 'visual' as kind, visual as name from portfolio_organization`

const headOf = (runner: Runner): Portfolio['head'] => {
  const head = statement((db) => db.selectFrom('portfolio').select(['name', 'organizations']).compile())
  return () =>
    runner.read(async (db): Promise<PortfolioHead> => {
      const [row] = await head(db, [])
      return row ?? { name: '', organizations: 0 }
    })
}

/** The portfolio (H1 to H3). */
export const makePortfolio = (runner: Runner): Portfolio => ({
  head: headOf(runner),
  sectors: makePortfolioList(runner, sectorTable),
  organizations: makePortfolioList(runner, organizationTable),
  introductions: makePortfolioList(runner, introductionTable),
  summaries: makePortfolioList(runner, summaryTable),
  programs: makePortfolioList(runner, programTable),
  challenges: makePortfolioList(runner, challengeTable),
  datasets: makePortfolioList(runner, datasetTable),
  content: () => runner.whole(readContent),
  images: () => runner.read(async (db) => (await IMAGES.execute(db)).rows),
  replace: (content) =>
    runner.write(async (db) => E.right(await replaceContent(db, runner.dialect, content))),
})
