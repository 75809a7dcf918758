import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PortfolioContent, SectorId } from '@almoner/domain/portfolio'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../schema/schema.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'
import { challengeTable } from './challenge-table.ts'
import { datasetTable } from './dataset-table.ts'
import { organizationTable } from './organization-table.ts'
import { sectorTable } from './sector-table.ts'
import { introductionTable, programTable, summaryTable } from './text-tables.ts'

/** Rows of a piece: reading them takes some milliseconds. */
const PIECE = 200

/** Reads all rows of a table in pieces, in the order of its key, and lets other work run in between (I6). */
const rowsOf = async <Row extends object>(
  db: Db,
  table: string,
  columns: ReadonlyArray<string>,
  order: ReadonlyArray<keyof Row & string>,
): Promise<ReadonlyArray<Row>> => {
  const [selected, key] = [columns, order].map((names) => sql.join(names.map((name) => sql.ref(name))))
  const read: Array<Row> = []
  for (;;) {
    const last = read.at(-1)
    const after =
      last === undefined ? sql`` : sql`where (${key}) > (${sql.join(order.map((name) => last[name]))})`
    const piece = sql<Row>`select ${selected} from ${sql.table(table)} ${after} order by ${key} limit ${PIECE}`
    const { rows } = await piece.execute(db)
    read.push(...rows)
    if (rows.length < PIECE) return read
    await nextTurn()
  }
}

const all = async <A, Row extends object, Query, P>(
  db: Db,
  { table, columns, fromRow }: OrderedTable<A, Row, Query, P>,
  order: ReadonlyArray<keyof Row & string>,
): Promise<ReadonlyArray<A>> => (await rowsOf<Row>(db, table, columns, order)).map(fromRow)

const sectorsHeld = async (db: Db): Promise<ReadonlyMap<string, ReadonlyArray<SectorId>>> => {
  const key = ['organization_id', 'sector_id'] as const
  const rows = await rowsOf<Tables['portfolio_organization_sector']>(
    db,
    'portfolio_organization_sector',
    key,
    key,
  )
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
