import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Row, Value } from './checks.ts'
import type { TransferTable } from './table.ts'

/** Rows read at a time: enough to be quick, few enough for memory. */
const PAGE = 500

/** Rows counted at a time. */
const STEP = 100_000

/** The values of some columns of a row. */
export const valuesOf = (row: Row, columns: ReadonlyArray<string>): ReadonlyArray<Value> =>
  columns.map((column) => row[column] ?? null)

/** A list of columns in a statement. */
export const columnList = (columns: ReadonlyArray<string>) =>
  sql.join(columns.map((column) => sql.ref(column)))

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
