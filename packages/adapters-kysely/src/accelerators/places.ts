import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ItemId, Unavailable } from '@almoner/domain'
import { type Cursor, compareCursors } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  columnList,
  type Database,
  type Db,
  placeholders,
  queryCache,
  UNBOUNDED,
} from '../database/database.ts'
import { makeSelectRows, type OrderedTable } from '../database/ordered-table.ts'
import { paddedInLists } from '../database/writes.ts'

/** Blocks grow with new items; a block of this multiple of its first size causes a new count. */
const UNEVEN = 4

/** The position of an offset: a cursor, and the remaining offset after it. */
interface Located<K extends string | number> {
  readonly after: O.Option<Cursor<K>>
  readonly offset: number
}

/** Counts of the places between some places of an order (C3): the place of a rank is found without passing over all before it. */
export interface PlaceCounts<K extends string | number> {
  locate(rank: number): Located<K>
  /** Adds a place that came, or takes away one that went. */
  add(place: Cursor<K>, by: 1 | -1): void
  /** Whether a block has grown until offsets in it are slow. */
  isUneven(): boolean
}

/**
 * Makes the counts of an order in which every `size`-th place is one of the bounds, in their order.
 * @param size places from one bound to the next, its own included
 */
const makePlaceCounts = <K extends string | number>(
  bounds: ReadonlyArray<Cursor<K>>,
  size: number,
): PlaceCounts<K> => {
  // The last count is of places behind the last bound: only how it changes is known.
  const counts = [...bounds.map(() => size), 0]
  let isUneven = false

  const blockOf = (place: Cursor<K>): number => {
    let [low, high] = [0, bounds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const bound = bounds[middle]
      if (bound !== undefined && compareCursors(place, bound) > 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    locate: (rank) => {
      let [at, offset] = [0, rank]
      for (; at < bounds.length; at += 1) {
        const count = counts[at] ?? 0
        if (offset < count) break
        offset -= count
      }
      return { after: O.fromNullable(bounds[at - 1]), offset }
    },
    add: (place, by) => {
      const at = blockOf(place)
      const count = (counts[at] ?? 0) + by
      counts[at] = count
      if (count > UNEVEN * size) isUneven = true
    },
    isUneven: () => isUneven,
  }
}

/** Bounds read before other work runs: about a millisecond. */
const STEP = 32

/** What a count has found in one unchanging state of the database. */
interface Counted<Item, K extends string | number> {
  readonly counts: PlaceCounts<K>
  /** The touched items, as they were there; undefined where one was not. */
  readonly held: ReadonlyMap<ItemId, Item | undefined>
}

/**
 * Counts the items of a query by one pass over an index.
 * @param touched gives the items that may have been written meanwhile; it is asked once, at the end
 */
export type CountPlaces<Item, Query, K extends string | number> = (
  query: Query,
  touched: () => Promise<ReadonlyArray<ItemId>>,
) => TE.TaskEither<Unavailable, Counted<Item, K>>

/** Makes the count of a table's items, which keeps every `size`-th place. */
export const makeCountPlaces = <Item, Row extends { readonly id: ItemId }, Query, K extends string | number>(
  database: Pick<Database, 'readSnapshot'>,
  table: OrderedTable<Item, Row, Query, Cursor<K>>,
  size: number,
): CountPlaces<Item, Query, K> => {
  const select = makeSelectRows(table)
  const run = queryCache()
  const columns = columnList(table.columns)

  /** Every `size`-th place of a query, in order. Yields to other work in between. */
  const boundsOf = async (db: Db, query: Query): Promise<ReadonlyArray<Cursor<K>>> => {
    const bounds: Array<Cursor<K>> = []
    const [key] = table.order(query).columns
    for (;;) {
      const slice = { after: O.fromNullable(bounds.at(-1)), most: 1, offset: size - 1 }
      const [bound] = await select<Cursor<K>>(db, `${key} as key, id`, query, slice)
      if (bound === undefined) return bounds
      bounds.push({ key: bound.key, id: bound.id })
      if (bounds.length % STEP === 0) await nextTurn()
    }
  }

  const itemsOf = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<Counted<Item, K>['held']> => {
    const held = new Map<ItemId, Item | undefined>(ids.map((id) => [id, undefined]))
    for (const list of paddedInLists(ids)) {
      const text = `select ${columns} from ${table.table} where id in (${placeholders(list)})`
      for (const row of await run<Row>(db, text, list)) held.set(row.id, table.fromRow(row))
    }
    return held
  }

  return (query, touched) =>
    database.readSnapshot(async (db) => {
      const counts = makePlaceCounts(await boundsOf(db, query), size)
      return { counts, held: await itemsOf(db, await touched()) }
    }, UNBOUNDED)
}
