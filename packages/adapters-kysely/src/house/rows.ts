import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../engine.ts'
import type { Row, Value } from './columns.ts'
import type { HouseTable } from './table.ts'

/** Rows read at a time: enough to be quick, few enough for memory. */
const PAGE = 500

/** Rows counted at a time. */
const STEP = 100_000

const columnsOf = (columns: ReadonlyArray<string>) => sql.join(columns.map((column) => sql.ref(column)))

/** The values of some columns of a row. */
export const valuesOf = (row: Row, columns: ReadonlyArray<string>): ReadonlyArray<Value> =>
  columns.map((column) => row[column] ?? null)

const behind = ({ key }: HouseTable, last: Row | undefined) =>
  last === undefined ? sql`` : sql`where (${columnsOf(key)}) > (${sql.join(valuesOf(last, key))})`

const page = async (db: Db, table: HouseTable, last: Row | undefined) => {
  const { name, columns, key } = table
  const list = columnsOf(Object.keys(columns))
  const read = sql<Row>`select ${list} from ${sql.table(name)} ${behind(table, last)}
    order by ${columnsOf(key)} limit ${PAGE}`
  return (await read.execute(db)).rows
}

/** The rows of a table as they are moved, in the order of its key, some hundred at a time. */
export async function* rowsOf(db: Db, table: HouseTable): AsyncGenerator<ReadonlyArray<Row>, void> {
  let last: Row | undefined
  for (;;) {
    const rows = await page(db, table, last)
    if (rows.length > 0) yield table.moved === undefined ? rows : rows.map(table.moved)
    if (rows.length < PAGE) return
    last = rows.at(-1)
    await nextTurn()
  }
}

/** How many rows a table has, counted in steps, since some engines give up a statement that takes seconds. */
export const countOf = async (db: Db, table: HouseTable): Promise<number> => {
  const [name, key] = [sql.table(table.name), columnsOf(table.key)]
  let last: Row | undefined
  let count = 0
  for (;;) {
    const step = sql<Row>`select ${key} from ${name} ${behind(table, last)} order by ${key} limit 1 offset ${STEP - 1}`
    const [end] = (await step.execute(db)).rows
    if (end === undefined) break
    last = end
    count += STEP
  }
  const rest = sql<{
    readonly rows: number | string
  }>`select count(*) as rows from ${name} ${behind(table, last)}`
  // Some engines give counts as text, since they may pass what a number holds.
  return count + Number((await rest.execute(db)).rows[0]?.rows)
}
