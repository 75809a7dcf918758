import type { Db, SqlDialect } from '../engine.ts'
import { makeStatements } from '../statement.ts'

/** A state of the database as one connection sees it: the same object for as long as nobody has committed anything. */
export interface State {
  readonly db: Db
  readonly number: number
}

/** Asks for the present state, on engines where that takes next to nothing. A connection's numbers are its own. */
export const makeStates = ({
  state,
}: Pick<SqlDialect, 'state'>): ((db: Db) => Promise<State>) | undefined => {
  if (state === undefined) return undefined
  const run = makeStatements()
  let last: State | undefined
  return async (db) => {
    const [row = {}] = await run<Readonly<Record<string, number>>>(db, state, [])
    const [number = Number.NaN] = Object.values(row)
    if (last?.db !== db || last.number !== number) last = { db, number }
    return last
  }
}
