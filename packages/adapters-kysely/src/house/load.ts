import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import type { Db, Engine } from '../engine.ts'
import { makeRunner } from '../runner.ts'
import { faultsAmong, insertRows, type NumberedRow, type RowFault } from './arrivals.ts'
import { type Counters, countIn, raiseCounters } from './counters.ts'
import { type Holding, holdings } from './holdings.ts'
import type { HouseTable } from './table.ts'
import { HOUSE_TABLES } from './tables.ts'

/** Rows of one table, as they are moved in. */
export interface Arrival {
  readonly table: HouseTable
  /** Where they come from, for faults. */
  readonly place: string
  readonly rows: ReadonlyArray<NumberedRow>
}

/** What is wrong with rows of a place. */
export interface PlacedFault extends RowFault {
  readonly place: string
}

/** Why nothing was moved in. */
export type LoadRefused =
  | { readonly _tag: 'NotEmpty'; readonly holdings: ReadonlyArray<Holding> }
  | { readonly _tag: 'RowsRefused'; readonly faults: ReadonlyArray<PlacedFault> }
  /** All would have gone well. */
  | { readonly _tag: 'Tried' }

interface LoadOptions {
  /** Undoes everything at the end. */
  readonly isTrial: boolean
  /** Faults that are told at most. */
  readonly most: number
  /** Hears how many rows have come. */
  readonly told: (rows: number) => void
}

const derived = (table: HouseTable, rows: ReadonlyArray<NumberedRow>): ReadonlyArray<NumberedRow> => {
  const { derived: derive } = table
  return derive === undefined
    ? rows
    : rows.map(({ line, row }) => ({ line, row: { ...row, ...derive(row) } }))
}

/** What came of rows. */
interface Arrived {
  readonly faults: ReadonlyArray<RowFault>
  /** Whether the database itself refused some: the transaction is of no more use then. */
  readonly isOver: boolean
}

/** Writes what nothing is wrong with, and tells what is wrong with the rest. */
const arrive = async (db: Db, engine: Engine, { table, rows: given }: Arrival): Promise<Arrived> => {
  const rows = derived(table, given)
  const faults = await faultsAmong(db, table, rows)
  const bad = new Set(faults.map(({ line }) => line))
  const good = rows.filter(({ line }) => !bad.has(line))
  try {
    await insertRows(
      db,
      table,
      good.map(({ row }) => row),
    )
    return { faults, isOver: false }
  } catch (cause) {
    if (engine.isOutage(cause)) throw cause
    const message = `or a line behind it is refused by the database: ${String(cause)}`
    return { faults: [...faults, { line: good[0]?.line ?? 0, message }], isOver: true }
  }
}

type Arrivals = () => AsyncIterable<Arrival>

/** Takes in what comes until it is over or there are faults enough. */
const takeIn = async (
  db: Db,
  engine: Engine,
  arrivals: Arrivals,
  { most, told }: LoadOptions,
): Promise<{ readonly faults: ReadonlyArray<PlacedFault>; readonly count: number }> => {
  const counters: Counters = new Map()
  const faults: Array<PlacedFault> = []
  let count = 0
  for await (const arrival of arrivals()) {
    const { table, place, rows } = arrival
    const arrived = await arrive(db, engine, arrival)
    for (const fault of arrived.faults) faults.push({ place, ...fault })
    if (arrived.isOver || faults.length >= most) return { faults: faults.slice(0, most), count }
    countIn(
      counters,
      table,
      rows.map(({ row }) => row),
    )
    count += rows.length
    told(count)
  }
  await raiseCounters(db, engine.dialect, counters)
  return { faults, count }
}

/** Takes away what a new database begins with. */
const clear = async (db: Db): Promise<void> => {
  for (const { name, isGiven } of HOUSE_TABLES)
    if (isGiven) await sql`delete from ${sql.table(name)}`.execute(db)
}

/**
 * Moves rows into an empty database, in the order of {@link HOUSE_TABLES}, in one transaction: readers see nothing of it before all of
 * it, and whatever cuts it short leaves nothing. Numbers that tables count up go on behind the greatest that came.
 * @param arrivals gives the rows from the beginning each time it is called, since a transaction may have to be tried again
 */
export const load =
  (engine: Engine) =>
  (arrivals: Arrivals, options: LoadOptions): TE.TaskEither<LoadRefused | Unavailable, number> =>
    makeRunner(engine).write(async (db): Promise<E.Either<LoadRefused, number>> => {
      const held = await holdings(db)
      if (held.length > 0) return E.left({ _tag: 'NotEmpty', holdings: held })
      await clear(db)
      const { faults, count } = await takeIn(db, engine, arrivals, options)
      if (faults.length > 0) return E.left({ _tag: 'RowsRefused', faults })
      return options.isTrial ? E.left({ _tag: 'Tried' }) : E.right(count)
    }, 'patient')
