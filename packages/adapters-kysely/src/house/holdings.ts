import type { Db } from '../engine.ts'
import { countOf } from './rows.ts'
import { HOUSE_TABLES } from './tables.ts'

/** A table that is not empty. */
export interface Holding {
  readonly table: string
  readonly rows: number
}

/** The tables of a database that hold anything that a new one does not. */
export const holdings = async (db: Db): Promise<ReadonlyArray<Holding>> => {
  const found: Array<Holding> = []
  for (const table of HOUSE_TABLES) {
    const rows = table.isGiven ? 0 : await countOf(db, table)
    if (rows > 0) found.push({ table: table.name, rows })
  }
  return found
}
