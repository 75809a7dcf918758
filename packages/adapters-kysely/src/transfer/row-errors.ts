import { sql } from 'kysely'
import { insertChunks } from '../database/chunks.ts'
import type { Db } from '../database/database.ts'
import type { Row, Value } from './checks.ts'
import { columnList, valuesOf } from './rows.ts'
import type { Reference, TableName, TransferTable } from './table.ts'

/** A row and the number of its line, from 1. */
export interface NumberedRow {
  readonly line: number
  readonly row: Row
}

/** An error in a line. */
export interface RowError {
  readonly line: number
  readonly message: string
}

const keyOf = (row: Row, columns: ReadonlyArray<string>): string => JSON.stringify(valuesOf(row, columns))

/** Returns those values of some columns of a table whose first is one of `firsts`. */
const storedKeys = async (
  db: Db,
  { table, to }: Pick<Reference, 'table' | 'to'>,
  firsts: ReadonlyArray<Value>,
): Promise<Set<string>> => {
  const found = new Set<string>()
  const first = sql.ref(to[0] ?? '')
  for (const block of insertChunks([...new Set(firsts)])) {
    const rows = sql<Row>`select ${columnList(to)} from ${sql.table(table)} where ${first} in (${sql.join(block)})`
    for (const row of (await rows.execute(db)).rows) found.add(keyOf(row, to))
  }
  return found
}

const danglingRows = async (db: Db, rows: ReadonlyArray<NumberedRow>, reference: Reference) => {
  const { columns, table, to, having = {}, when = () => true } = reference
  const [first = ''] = columns
  const referring = rows.filter(({ row }) => row[first] !== null && when(row))
  const firsts = referring.map(({ row }) => row[first] ?? null)
  const stored = await storedKeys(db, { table, to: [...to, ...Object.keys(having)] }, firsts)
  const wanted = (row: Row) => JSON.stringify([...valuesOf(row, columns), ...Object.values(having)])
  const which = Object.entries(having).map(([column, value]) => ` whose ${column} is ${value}`)
  return referring
    .filter(({ row }) => !stored.has(wanted(row)))
    .map(({ line }) => ({
      line,
      message: `${columns.join(', ')} must be of a row of ${table}${which.join('')}`,
    }))
}

const repeatedRows = async (db: Db, rows: ReadonlyArray<NumberedRow>, table: TableName, unique: string) => {
  const named = rows.filter(({ row }) => row[unique] !== null)
  const values = named.map(({ row }) => row[unique] ?? null)
  const seen = await storedKeys(db, { table, to: [unique] }, values)
  return named
    .filter(({ row }) => {
      const key = keyOf(row, [unique])
      return seen.has(key) || !seen.add(key)
    })
    .map(({ line }) => ({ line, message: `repeats the ${unique} of another row` }))
}

/** Returns the errors of new rows in relation to stored ones: duplicate values and dangling references. */
export const rowErrors = async (
  db: Db,
  { name, unique, references }: TransferTable,
  rows: ReadonlyArray<NumberedRow>,
): Promise<ReadonlyArray<RowError>> => {
  const errors: Array<RowError> = unique === undefined ? [] : await repeatedRows(db, rows, name, unique)
  for (const reference of references) errors.push(...(await danglingRows(db, rows, reference)))
  return errors
}
