import { cellSentence, noColumn, shownValue } from '@almoner/domain/portfolio'
import type { TableMetadata } from 'kysely'
import type { Db } from '../database/database.ts'
import { type Check, defaultCheck, type Row } from './checks.ts'
import type { TransferTable } from './table.ts'

/** A row, or everything that is wrong with it, in sentences. */
export type ReadRow = { readonly row: Row } | { readonly errors: ReadonlyArray<string> }

/**
 * Reads a row of a table from parsed JSON: it must have exactly the columns of the database's schema, except derived ones, and pass their
 * checks and the table's rule. Whether rows fit together is checked when they are loaded.
 */
export type RowReader = (table: TransferTable, value: unknown) => ReadRow

type Checks = ReadonlyMap<string, Check>

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value)

/** The columns that are exported, with their checks. SQLite calls some keys nullable that are not. */
const checksOf = ({ key, checks, derived }: TransferTable, columns: TableMetadata['columns']): Checks =>
  new Map(
    columns
      .filter(({ name }) => !(name in derived))
      .map(({ name, dataType, isNullable }) => {
        const check = checks[name] ?? defaultCheck(name, dataType.toLowerCase() === 'text')
        return [name, isNullable && !key.includes(name) ? orNull(check) : check]
      }),
  )

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Columns of people's data and of secrets, whose values no message repeats. */
const PRIVATE = /address|digest|email|hash|key|password|payload|secret|token/i

/** Returns the value of a column as a message repeats it. */
const shownIn = (row: Record<string, unknown>, column: string): string | undefined =>
  PRIVATE.test(column) ? undefined : shownValue(row[column])

const readRow = ({ name: table, rule }: TransferTable, checks: Checks, value: unknown): ReadRow => {
  if (!isRecord(value)) return { errors: ['is no object'] }
  const errors: Array<string> = []
  for (const [name, check] of checks) {
    const error = name in value ? check(value[name]) : 'is missing'
    if (error !== undefined) errors.push(cellSentence(name, shownIn(value, name), error))
  }
  for (const name of Object.keys(value))
    if (!checks.has(name))
      errors.push(`${shownValue(name) ?? '""'} ${noColumn(name, table, [...checks.keys()])}`)
  if (errors.length > 0) return { errors }
  const row = value as Row
  const error = rule?.(row)
  return error === undefined ? { row } : { errors: [error] }
}

/** Makes a reader of rows for the tables of a database. */
export const makeRowReader = async (db: Db, tables: ReadonlyArray<TransferTable>): Promise<RowReader> => {
  const schema = new Map((await db.introspection.getTables()).map((table) => [table.name, table.columns]))
  const checks = new Map(tables.map((table) => [table.name, checksOf(table, schema.get(table.name) ?? [])]))
  return (table, value) => readRow(table, checks.get(table.name) ?? new Map(), value)
}
