import type { PortfolioContent, SectorId } from '@almoner/domain/portfolio'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'
import { challengeTable } from './challenge-table.ts'
import { datasetTable } from './dataset-table.ts'
import { organizationTable } from './organization-table.ts'
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
