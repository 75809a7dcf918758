import { type Listing, listingOf, type Place, type Unavailable, type Window } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { collection } from '../../database/collection.ts'
import type { Db } from '../../database/database.ts'
import type { Runner } from '../../database/runner.ts'
import type { Reading } from './reading.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startOf } from './start.ts'

/** The largest `lim` that is answered at once; a larger one is walked like a whole collection. */
export const PAGE = 500

/** `list` of an item store, and of other collections in the same order (C3, C9, C11, C12). */
export const makeList = <Item, Row, Query, K extends string | number>(
  runner: Runner,
  table: OrderedTable<Item, Row, Query, K>,
  reading: Reading<Item, Query, K>,
) => {
  type Part = Window<Place<K>>
  type Result = Listing<Item, Place<K>>

  const page = async (db: Db, query: Query, { after, offset }: Part, lim: number): Promise<Result> => {
    const start = startOf(table.until(query), after)
    // One item more shows whether there is a next page.
    const items = await reading.page(db, query, start, { most: lim + 1, offset })
    const last = items.at(lim - 1)
    const next = items.length > lim && last !== undefined ? O.some(table.placeOf(last)) : O.none
    return listingOf(items.slice(0, lim), next)
  }

  /** Where the window begins; none when it lies behind the last item. */
  const begin = async (db: Db, query: Query, { after, offset }: Part): Promise<O.Option<Start<K>>> => {
    const start = startOf(table.until(query), after)
    if (offset === 0) return O.some(start)
    const place = await reading.placeAt(db, query, start, offset)
    return O.isNone(place) ? O.none : O.some({ kind: 'at', place: place.value })
  }

  async function* walk(db: Db, query: Query, part: Part, most: number) {
    const start = await begin(db, query, part)
    if (O.isSome(start)) yield* reading.walk(db, query, start.value, most)
  }

  const batches = (query: Query, part: Part, most: number) =>
    collection(runner, (db) => walk(db, query, part, most))

  const nextAfter = async (db: Db, query: Query, part: Part, lim: number): Promise<Result['next']> => {
    const start = startOf(table.until(query), part.after)
    const last = await reading.placeAt(db, query, start, part.offset + lim - 1)
    if (O.isNone(last)) return O.none
    const beyond = await reading.placeAt(db, query, { kind: 'after', place: last.value }, 0)
    return O.isSome(beyond) ? last : O.none
  }

  const large = (query: Query, part: Part, lim: number): TE.TaskEither<Unavailable, Result> =>
    pipe(
      runner.read((db) => nextAfter(db, query, part, lim)),
      TE.map((next) => ({ batches: batches(query, part, lim), next })),
    )

  return (query: Query, part: Part): TE.TaskEither<Unavailable, Result> => {
    // Without `lim` an offset is ignored (B4).
    if (O.isNone(part.lim))
      return TE.right({ batches: batches(query, { ...part, offset: 0 }, Infinity), next: O.none })
    const lim = part.lim.value
    return lim <= PAGE ? runner.read((db) => page(db, query, part, lim)) : large(query, part, lim)
  }
}
