import type { Unavailable } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Engine } from '../engine.ts'
import { makeRunner } from '../runner.ts'
import type { Row } from './columns.ts'
import { type Holding, holdings } from './holdings.ts'
import { load } from './load.ts'
import { countOf, rowsOf } from './rows.ts'
import type { HouseTable } from './table.ts'

/** One unchanging state of a database. */
export interface View {
  /** How many rows a table has. */
  count(table: HouseTable): Promise<number>
  /** Its rows as they are moved, in the order of its key, some hundred at a time. */
  rows(table: HouseTable): AsyncIterable<ReadonlyArray<Row>>
}

/** A database as something to move out of and into. Its schema is current. */
export interface House {
  /** The tables that hold anything that a new database does not. */
  holdings(): TE.TaskEither<Unavailable, ReadonlyArray<Holding>>
  /** Reads from one unchanging state, while writes go on; throws `UnavailableError`. */
  view<A>(work: (view: View) => AsyncIterable<A>): AsyncIterable<A>
  /** Moves everything in. */
  readonly load: ReturnType<typeof load>
}

/** The house that an engine's database is. */
export const makeHouse = (engine: Engine): House => {
  const runner = makeRunner(engine)
  return {
    holdings: () => runner.read(holdings),
    view: (work) =>
      runner.snapshot((db) =>
        work({ count: (table) => countOf(db, table), rows: (table) => rowsOf(db, table) }),
      ),
    load: load(engine),
  }
}
