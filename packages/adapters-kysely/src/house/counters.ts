import { sql } from 'kysely'
import type { Db, SqlDialect } from '../engine.ts'
import type { Row } from './columns.ts'
import type { HouseTable, TableName } from './table.ts'

/** The greatest numbers that rows hold of those that tables count up. */
export type Counters = Map<TableName, number>

/** Takes the numbers of some rows into account: what refers to a row that is gone counts too. */
export const countIn = (counters: Counters, { numbers }: HouseTable, rows: ReadonlyArray<Row>): void => {
  for (const [name, columns] of Object.entries(numbers) as ReadonlyArray<
    [TableName, ReadonlyArray<string>]
  >) {
    let most = counters.get(name) ?? 0
    for (const row of rows) for (const column of columns) most = Math.max(most, Number(row[column]))
    counters.set(name, most)
  }
}

/** Makes the tables count on behind these numbers, so that none is given to anything else. */
export const raiseCounters = async (db: Db, dialect: SqlDialect, counters: Counters): Promise<void> => {
  for (const [name, most] of counters)
    if (most > 0)
      for (const statement of dialect.countBehind(name, most)) await sql.raw(statement).execute(db)
}
