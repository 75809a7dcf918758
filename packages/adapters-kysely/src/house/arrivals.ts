import { sql } from 'kysely'
import { blocks } from '../blocks.ts'
import type { Db } from '../engine.ts'
import type { Row, Value } from './columns.ts'
import { valuesOf } from './rows.ts'
import type { HouseTable, Reference, TableName } from './table.ts'

/** A row and the line on which it stands, from 1. */
export interface NumberedRow {
  readonly line: number
  readonly row: Row
}

/** What is wrong with a line. */
export interface RowFault {
  readonly line: number
  readonly message: string
}

const textOf = (values: ReadonlyArray<Value>): string => JSON.stringify(values)

/** Those of the values that a table has in some columns, of which the first is one of `firsts`. */
const present = async (
  db: Db,
  table: TableName,
  columns: ReadonlyArray<string>,
  firsts: ReadonlyArray<Value>,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const list = sql.join(columns.map((column) => sql.ref(column)))
  for (const block of blocks([...new Set(firsts)])) {
    const first = sql.ref(columns[0] ?? '')
    const read = sql<Row>`select ${list} from ${sql.table(table)} where ${first} in (${sql.join(block)})`
    for (const row of (await read.execute(db)).rows) found.add(textOf(valuesOf(row, columns)))
  }
  return found
}

/** Rows that refer to what is not there. */
const dangling = async (
  db: Db,
  rows: ReadonlyArray<NumberedRow>,
  { columns, table, to, when }: Reference,
): Promise<ReadonlyArray<RowFault>> => {
  const [first = ''] = columns
  const about = rows.filter(({ row }) => row[first] !== null && (when === undefined || when(row)))
  const there = await present(
    db,
    table,
    to,
    about.map(({ row }) => row[first] ?? null),
  )
  return about
    .filter(({ row }) => !there.has(textOf(valuesOf(row, columns))))
    .map(({ line }) => ({ line, message: `${columns.join(', ')} must be of a row of ${table}` }))
}

/** Rows that repeat what only one may hold. */
const repeated = async (
  db: Db,
  rows: ReadonlyArray<NumberedRow>,
  { name, unique }: HouseTable,
): Promise<ReadonlyArray<RowFault>> => {
  if (unique === undefined) return []
  const about = rows.filter(({ row }) => row[unique] !== null)
  const values = about.map(({ row }) => row[unique] ?? null)
  const seen = new Set(await present(db, name, [unique], values))
  return about.flatMap(({ line, row }) => {
    const value = textOf([row[unique] ?? null])
    if (seen.has(value)) return [{ line, message: `repeats the ${unique} of another row` }]
    seen.add(value)
    return []
  })
}

/** Why rows may not come after those that are there; none when nothing is wrong. */
export const faultsAmong = async (
  db: Db,
  table: HouseTable,
  rows: ReadonlyArray<NumberedRow>,
): Promise<ReadonlyArray<RowFault>> => {
  const faults = [...(await repeated(db, rows, table))]
  for (const reference of table.references) faults.push(...(await dangling(db, rows, reference)))
  return faults
}

/** Writes rows. */
export const insertRows = async (db: Db, { name }: HouseTable, rows: ReadonlyArray<Row>): Promise<void> => {
  // The table is known by its name alone here; what its rows hold has been checked against it.
  for (const block of blocks(rows))
    await db
      .insertInto(name)
      .values(block as never)
      .execute()
}
