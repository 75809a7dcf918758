import type { PortfolioContent, PortfolioHead, PortfolioImage, SectorId } from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { compiledQuery } from '../../database/compiled-query.ts'
import type { Database, Db } from '../../database/database.ts'
import { makeList } from '../collections/list.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'
import { challengeTable } from './challenge-table.ts'
import { datasetTable } from './dataset-table.ts'
import { organizationTable } from './organization-table.ts'
import { replaceContent } from './replace.ts'
import { sectorTable } from './sector-table.ts'
import { introductionTable, programTable, summaryTable } from './text-tables.ts'

const all = async <A, Row, Query, P>(
  db: Db,
  { table, columns, fromRow }: OrderedTable<A, Row, Query, P>,
  order: ReadonlyArray<keyof Row & string>,
): Promise<ReadonlyArray<A>> => {
  const [selected, key] = [columns, order].map((names) => sql.join(names.map((name) => sql.ref(name))))
  const rows = sql<Row>`select ${selected} from ${sql.table(table)} order by ${key}`
  return (await rows.execute(db)).rows.map(fromRow)
}

const sectorsHeld = async (db: Db): Promise<ReadonlyMap<string, ReadonlyArray<SectorId>>> => {
  const rows = await db
    .selectFrom('portfolio_organization_sector')
    .selectAll()
    .orderBy('organization_id')
    .orderBy('sector_id')
    .execute()
  const held = new Map<string, Array<SectorId>>()
  for (const { organization_id, sector_id } of rows) {
    const sectors = held.get(organization_id) ?? []
    sectors.push(sector_id)
    held.set(organization_id, sectors)
  }
  return held
}

/** The whole portfolio, each table in its order. To be read from a snapshot. */
export const readContent = async (db: Db): Promise<PortfolioContent> => {
  const head = await db.selectFrom('portfolio').select('name').executeTakeFirst()
  const held = await sectorsHeld(db)
  const organizations = await all(db, organizationTable, ['id'])
  return {
    name: head?.name ?? '',
    sectors: await all(db, sectorTable, ['id']),
    organizations: organizations.map((one) => ({ ...one, sectors: held.get(one.id) ?? [] })),
    introductions: await all(db, introductionTable, ['organization_id', 'lang', 'rank']),
    summaries: await all(db, summaryTable, ['organization_id', 'lang', 'rank']),
    programs: await all(db, programTable, ['organization_id', 'lang', 'rank']),
    challenges: await all(db, challengeTable, ['organization_id', 'id', 'lang']),
    datasets: await all(db, datasetTable, ['organization_id', 'year']),
  }
}

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
  images: () => database.read(async (db) => (await IMAGES.execute(db)).rows),
  replace: (content) =>
    database.write(async (db) => E.right(await replaceContent(db, database.dialect, content))),
})
