import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimedAct } from '@almoner/domain/access'
import type { PortfolioImage } from '@almoner/domain/media'
import {
  comparing,
  PORTFOLIO_CHANGED,
  type PortfolioChanged,
  type PortfolioContent,
  type PortfolioHead,
  type SectorId,
} from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { type Insertable, sql } from 'kysely'
import { makeRecordChanges, type RecordChanges } from '../changes.ts'
import { compiledQuery, type Database, type Db, type SqlDialect, UNBOUNDED } from '../database/database.ts'
import { makeList, type OrderedTable } from '../database/ordered-table.ts'
import { recordAct } from '../history.ts'
import type { Tables } from '../schema/schema.ts'
import {
  challengeRow,
  challengeTable,
  datasetRow,
  datasetTable,
  introductionRow,
  introductionTable,
  organizationRow,
  organizationTable,
  programRow,
  programTable,
  sectorRow,
  sectorTable,
  summaryRow,
  summaryTable,
} from './tables.ts'

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
const readContent = async (db: Db): Promise<PortfolioContent> => {
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
const isSamePortfolio = async (before: PortfolioContent, after: PortfolioContent): Promise<boolean> => {
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
const replaceContent = async (
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
  recordChanges: RecordChanges,
  before: PortfolioContent,
  content: PortfolioContent,
  act: TimedAct | undefined,
): Promise<void> => {
  if (await isSamePortfolio(before, content)) return
  await recordAct(db, act, { kind: 'portfolio', id: '' })
  await recordChanges(db, [{ kind: 'portfolio', id: '', aspect: 'own' }])
}

/** The portfolio (H1 to H3). */
export const makePortfolio = (database: Database): Portfolio => {
  const recordChanges = makeRecordChanges(database.dialect)
  return {
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
      database.write(
        async (db): Promise<E.Either<never, void>> => {
          const replaced = await replaceContent(db, database.dialect, content)
          // Without a reviewed portfolio nothing is rejected.
          if (E.isRight(replaced)) await recordLoad(db, recordChanges, replaced.right, content, act)
          return E.right(undefined)
        },
        { notify: ['portfolio'] },
      ),
    replaceReviewed: ({ before, content }, act) =>
      database.write(
        async (db): Promise<E.Either<PortfolioChanged, void>> => {
          const replaced = await replaceContent(db, database.dialect, content, before)
          if (E.isLeft(replaced)) return replaced
          await recordLoad(db, recordChanges, replaced.right, content, act)
          return E.right(undefined)
        },
        { notify: ['portfolio'] },
      ),
  }
}
