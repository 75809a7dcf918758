import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ItemStore } from '../ports/item-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { ItemId } from '../values/ids.ts'
import { listingOf, type PageRequest, type ResultSet } from '../values/page.ts'

interface Asked<Query, Cursor> {
  readonly itemId: O.Option<ItemId>
  readonly query: Query
  readonly window: PageRequest<Cursor>
}

/**
 * The items that match, in the window. One asked for by its id is a collection of at most one; an item that is hidden and
 * one that does not exist take the same way and give the same answer (C4).
 */
export const listItems = <Item, Query, Cursor>(
  store: Pick<ItemStore<Item, Item, Query, Cursor>, 'find' | 'list'>,
  matches: (query: Query) => (item: Item) => boolean,
  { itemId, query, window }: Asked<Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<Item, Cursor>> =>
  O.isNone(itemId)
    ? store.list(query, window)
    : pipe(
        store.find(itemId.value),
        TE.map(O.filter(matches(query))),
        TE.map((found) => listingOf(O.isSome(found) && window.offset === 0 ? [found.value] : [], O.none)),
      )
