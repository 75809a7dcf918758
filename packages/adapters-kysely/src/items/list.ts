import { type Listing, listingOf, type Place, type Unavailable, type Window } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from '../engine.ts'
import type { Runner } from '../runner.ts'
import { oneAhead } from './one-ahead.ts'
import { makeReading, type Reading, type Rows } from './reading.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startOf } from './start.ts'

/** The largest `lim` that is answered at once; a larger one is walked like a whole collection. */
const PAGE = 500

/**
 * `list` of an item store, and of whatever else is ordered as items are (C3, C9, C11, C12). `pagesOf` reads single pages in a way of
 * its own.
 */
export const makeList = <Item, Row, Query, K extends string | number>(
  runner: Runner,
  table: OrderedTable<Item, Row, Query, K>,
  pagesOf?: (rows: Rows<Query, K>) => Reading<Item, Query, K>['page'],
) => {
  const reading = makeReading(table)
  const pageFrom = pagesOf?.(reading.rows) ?? reading.page
  type Part = Window<Place<K>>
  type Result = Listing<Item, Place<K>>

  /** Where the window begins; none when it lies behind the last item. */
  const begin = async (db: Db, query: Query, { after, offset }: Part): Promise<O.Option<Start<K>>> => {
    const start = startOf(table.until(query), after)
    if (offset === 0) return O.some(start)
    const place = await reading.placeAt(db, query, start, offset)
    return O.isNone(place) ? O.none : O.some({ kind: 'at', place: place.value })
  }

  const page = async (db: Db, query: Query, part: Part, lim: number): Promise<Result> => {
    const start = await begin(db, query, part)
    // One more than asked for tells whether there is a next page.
    const items = O.isSome(start) ? await pageFrom(db, query, start.value, lim + 1) : []
    const last = items.at(lim - 1)
    const next = items.length > lim && last !== undefined ? O.some(table.placeOf(last)) : O.none
    return listingOf(items.slice(0, lim), next)
  }

  async function* walk(db: Db, query: Query, part: Part, most: number) {
    const start = await begin(db, query, part)
    if (O.isSome(start)) yield* reading.walk(db, query, start.value, most)
  }

  const batches = (query: Query, part: Part, most: number) =>
    oneAhead(runner.snapshot((db) => walk(db, query, part, most)))

  const nextAfter = async (db: Db, query: Query, part: Part, lim: number): Promise<Result['next']> => {
    const start = startOf(table.until(query), part.after)
    const last = await reading.placeAt(db, query, start, part.offset + lim - 1)
    if (O.isNone(last)) return O.none
    const beyond = await reading.placeAt(db, query, { kind: 'after', place: last.value }, 0)
    return O.isSome(beyond) ? last : O.none
  }

  return (query: Query, part: Part): TE.TaskEither<Unavailable, Result> => {
    // Without `lim` an offset is ignored (B4).
    if (O.isNone(part.lim))
      return TE.right({ batches: batches(query, { ...part, offset: 0 }, Infinity), next: O.none })
    const lim = part.lim.value
    return lim <= PAGE
      ? runner.read((db) => page(db, query, part, lim))
      : TE.map((next: Result['next']) => ({ batches: batches(query, part, lim), next }))(
          runner.read((db) => nextAfter(db, query, part, lim)),
        )
  }
}
