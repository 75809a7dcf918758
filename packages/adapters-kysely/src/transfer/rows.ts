import { setImmediate as nextTurn } from 'node:timers/promises'
import { cellSentence, noColumn, shownValue } from '@almoner/domain/portfolio'
import { sql, type TableMetadata } from 'kysely'
import type { Db } from '../database/database.ts'
import { insertChunks } from '../database/writes.ts'
import {
  type Check,
  defaultCheck,
  type Reference,
  type Row,
  type TableName,
  type TransferTable,
  type Value,
} from './table.ts'

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

/** Rows read at a time: enough to be quick, few enough for memory. */
const PAGE = 500

/** Rows counted at a time. */
const STEP = 100_000

/** The values of some columns of a row. */
const valuesOf = (row: Row, columns: ReadonlyArray<string>): ReadonlyArray<Value> =>
  columns.map((column) => row[column] ?? null)

/** A list of columns in a statement. */
const columnList = (columns: ReadonlyArray<string>) => sql.join(columns.map((column) => sql.ref(column)))

const after = ({ key, omits }: TransferTable, last: Row | undefined) => {
  const conditions = [
    ...(omits === undefined ? [] : [sql`${sql.ref(omits.column)} <> ${omits.value}`]),
    ...(last === undefined ? [] : [sql`(${columnList(key)}) > (${sql.join(valuesOf(last, key))})`]),
  ]
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

const exported = ({ derived, onExport = (row) => row }: TransferTable, row: Row): Row =>
  onExport(Object.fromEntries(Object.entries(row).filter(([column]) => !(column in derived))))

/** Reads the rows of a table as they are exported, in the order of its key, in batches. */
export async function* rowsOf(db: Db, table: TransferTable): AsyncGenerator<ReadonlyArray<Row>, void> {
  let last: Row | undefined
  for (;;) {
    const page = sql<Row>`select * from ${sql.table(table.name)} ${after(table, last)}
      order by ${columnList(table.key)} limit ${PAGE}`
    const { rows } = await page.execute(db)
    if (rows.length > 0) yield rows.map((row) => exported(table, row))
    if (rows.length < PAGE) return
    last = rows.at(-1)
    await nextTurn()
  }
}

/** Counts the rows of a table in steps, because PostgreSQL cancels statements that take seconds. */
export const countOf = async (db: Db, table: TransferTable): Promise<number> => {
  const [name, key] = [sql.table(table.name), columnList(table.key)]
  let last: Row | undefined
  for (let count = 0; ; count += STEP) {
    const step = sql<Row>`select ${key} from ${name} ${after(table, last)} order by ${key} limit 1 offset ${STEP - 1}`
    const [end] = (await step.execute(db)).rows
    if (end === undefined) {
      const rest = sql<{ rows: number | string }>`select count(*) as rows from ${name} ${after(table, last)}`
      // PostgreSQL's driver returns counts as text.
      return count + Number((await rest.execute(db)).rows[0]?.rows)
    }
    last = end
  }
}

/** A table that is not empty. */
export interface TableRows {
  readonly table: string
  readonly rows: number
}

/** Returns the tables that hold more than migrations put there. */
export const existingRows = async (
  db: Db,
  tables: ReadonlyArray<TransferTable>,
): Promise<ReadonlyArray<TableRows>> => {
  const found: Array<TableRows> = []
  for (const table of tables) {
    const rows = table.isSeedData ? 0 : await countOf(db, table)
    if (rows > 0) found.push({ table: table.name, rows })
  }
  return found
}

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
  const { columns, table, to, having = {}, isList = false, when = () => true } = reference
  const [first = ''] = columns
  const referring = rows.filter(({ row }) => row[first] !== null && when(row))
  const valuesIn = (row: Row): ReadonlyArray<Value> =>
    isList ? JSON.parse(String(row[first])) : [row[first] ?? null]
  const firsts = referring.flatMap(({ row }) => valuesIn(row))
  const stored = await storedKeys(db, { table, to: [...to, ...Object.keys(having)] }, firsts)
  const wanted = (row: Row): ReadonlyArray<string> =>
    isList
      ? valuesIn(row).map((value) => JSON.stringify([value]))
      : [JSON.stringify([...valuesOf(row, columns), ...Object.values(having)])]
  const which = Object.entries(having).map(([column, value]) => ` whose ${column} is ${value}`)
  return referring
    .filter(({ row }) => !wanted(row).every((one) => stored.has(one)))
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
