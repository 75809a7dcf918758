import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import type { Db } from '../engine.ts'
import type { Rows } from '../items/rows.ts'
import { type Bound, makePlaceIndex, type PlaceIndex, startAt } from './place-index.ts'

/** Blocks counted between two turns of everybody else: well under a millisecond's work where the engine is within the process. */
const STEP = 32

interface Counting<Query, K extends string | number> {
  readonly query: Query
  /** The column of the order's key. */
  readonly key: string
  readonly rows: Rows<Query, K>
  /** How many places a block should have. */
  readonly size: number
}

/** Counts the items of a query, on a handle that reads one unchanging state. Lets others have their turn. */
export const countPlaces = async <Query, K extends string | number>(
  db: Db,
  { query, key, rows, size }: Counting<Query, K>,
): Promise<PlaceIndex<K>> => {
  const index = makePlaceIndex<K>(size)
  const columns = `${key} as key, id`
  let bound: Bound<K>
  for (let step = 1; ; step += 1) {
    const [start, many] = [startAt(bound), index.size()]
    const [next] = await rows<Place<K>>(db, { columns, query, start }, { most: 1, offset: many })
    if (next === undefined) {
      const rest = await rows(db, { columns: 'id', query, start }, { most: many })
      index.append(bound, rest.length)
      return index
    }
    index.append(bound, many)
    bound = next
    if (step % STEP === 0) await nextTurn()
  }
}
