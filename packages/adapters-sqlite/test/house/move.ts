import {
  type Arrival,
  type Engine,
  HOUSE_TABLES,
  type HouseTable,
  makeHouse,
  type Row,
} from '@almoner/adapters-kysely'
import { sql } from 'kysely'

/** Rows as they would be moved, table by table. */
export async function* arrivalsFrom(engine: Engine): AsyncGenerator<Arrival> {
  yield* makeHouse(engine).view(async function* (view) {
    for (const table of HOUSE_TABLES)
      for await (const rows of view.rows(table))
        yield { table, place: table.name, rows: rows.map((row, n) => ({ line: n + 1, row })) }
  })
}

/** Moves some rows into a database. */
export const moveIn = (engine: Engine, arrivals: () => AsyncIterable<Arrival>, isTrial = false, most = 10) =>
  makeHouse(engine).load(arrivals, { isTrial, most, told: () => {} })

/** Everything that a database would move, by table. */
export const contentOf = async (engine: Engine): Promise<Readonly<Record<string, ReadonlyArray<Row>>>> => {
  const content: Record<string, Array<Row>> = {}
  for await (const { table, rows } of arrivalsFrom(engine)) {
    const into = content[table.name] ?? []
    into.push(...rows.map(({ row }) => row))
    content[table.name] = into
  }
  return content
}

/** Every column of every row that a table has. */
export const allOf = (engine: Engine, { name, key }: HouseTable): Promise<ReadonlyArray<Row>> =>
  engine.read(async (db) => {
    const order = sql.join(key.map((column) => sql.ref(column)))
    return (await sql<Row>`select * from ${sql.table(name)} order by ${order}`.execute(db)).rows
  })

export const tableOf = (name: string): HouseTable => {
  const table = HOUSE_TABLES.find((one) => one.name === name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  return table
}
