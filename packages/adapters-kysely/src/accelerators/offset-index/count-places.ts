import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ItemId, Unavailable } from '@almoner/domain'
import type { Cursor } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { paddedInLists } from '../../database/chunks.ts'
import { type Database, type Db, UNBOUNDED } from '../../database/database.ts'
import { columnList, placeholders, queryCache } from '../../database/query.ts'
import { makeSelectRows, type OrderedTable } from '../../repositories/collections/ordered-table.ts'
import { makePlaceCounts, type PlaceCounts } from './place-counts.ts'

/** Bounds read before other work runs: about a millisecond. */
const STEP = 32

/** What a count has found in one unchanging state of the database. */
export interface Counted<Item, K extends string | number> {
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
