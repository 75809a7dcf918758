import type { Cursor, ItemCore } from '@almoner/domain/content'
import type { ItemStore } from '@almoner/domain/ports'
import {
  collect,
  compareText,
  type ItemId,
  listingOf,
  type PageRequest,
  type ResultSet,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type FaultsOf, returning } from './faults.ts'

/** Replaces the items of a page. */
export const withItems = <A, P>(
  page: ResultSet<A, P>,
  change: (items: ReadonlyArray<A>) => ReadonlyArray<A>,
) => ({
  ...page,
  ...listingOf(change(page.loaded ?? []), page.next),
})

/** Faults in the order of a list, and in its pages. */
export const pagingFaults = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  cursor: (item: Item) => Cursor<K>,
): FaultsOf<ItemStore<Item, NewItem, Query, Cursor<K>>> => {
  type Store = ItemStore<Item, NewItem, Query, Cursor<K>>
  type Page = ResultSet<Item, Cursor<K>>
  const windowed =
    (change: (window: PageRequest<Cursor<K>>) => PageRequest<Cursor<K>>) =>
    ({ list }: Store): Partial<Store> => ({
      list: (query, window, isCounted) => list(query, change(window), isCounted),
    })
  const paged =
    (change: (page: Page) => Page) =>
    ({ list }: Store): Partial<Store> => ({
      list: returning(list, change),
    })
  const sorted = (order: (a: Item, b: Item) => number) =>
    paged((page) => withItems(page, (items) => [...items].sort(order)))
  return {
    'lists items in the order of insertion': [
      'C3: the whole collection',
      ({ add, list }) => {
        const ids: Array<ItemId> = []
        return {
          add: (write, receipt) => {
            ids.push(write.item.id)
            return add(write, receipt)
          },
          list: returning(list, (page) =>
            withItems(page, (items) => [...items].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))),
          ),
        }
      },
    ],
    'lists items by identifier': ['C3: the whole collection', sorted((a, b) => compareText(b.id, a.id))],
    'breaks ties by the oldest identifier': [
      'C3: the whole collection',
      sorted((a, b) => {
        const [one, other] = [cursor(a), cursor(b)]
        return one.key === other.key ? compareText(one.id, other.id) : one.key > other.key ? -1 : 1
      }),
    ],
    'skips one item too few': [
      'B4: offset skips that many items',
      windowed((window) => ({ ...window, offset: Math.max(0, window.offset - 1) })),
    ],
    'ignores the offset after a cursor': [
      'B4: offset skips that many items',
      windowed((window) => (O.isSome(window.after) ? { ...window, offset: 0 } : window)),
    ],
    'begins a page with the last item of the one before': [
      'C11: each page has the cursor of the next one',
      ({ find, list }) => ({
        list: (query, window, isCounted) => async () => {
          const page = await list(query, window, isCounted)()
          if (O.isNone(window.after) || E.isLeft(page)) return page
          const last = await find(window.after.value.id as ItemId)()
          const before = E.isRight(last) ? RA.fromOption(last.right) : []
          return E.right(withItems(page.right, (items) => [...before, ...items].slice(0, items.length)))
        },
      }),
    ],
    'has a page after the last one': [
      'C11: each page has the cursor of the next one, and the last page has none',
      paged((page) => ({ ...page, next: O.map(cursor)(O.fromNullable(page.loaded?.at(-1))) })),
    ],
    'has at most 500 items on a page': [
      'C11: lim above the batch size',
      windowed((window) => ({ ...window, lim: O.map((lim: number) => Math.min(lim, 500))(window.lim) })),
    ],
    'reads a whole collection in pages': [
      'C12: without lim the collection is one snapshot',
      ({ list }) => ({
        list: (query, window, isCounted) => {
          const batches = async function* () {
            for (let after = window.after, more = true; more; ) {
              const page = await list(query, { lim: O.some(500), offset: 0, after })()
              if (E.isLeft(page)) throw new Error('unavailable')
              yield await collect(page.right)
              after = page.right.next
              more = O.isSome(after)
            }
          }
          return O.isSome(window.lim)
            ? list(query, window, isCounted)
            : TE.right({ batches: batches(), next: O.none })
        },
      }),
    ],
    'finds an item for each time that its identifier is given': [
      'G1: a lookup of many ids',
      ({ findAll }) => ({
        findAll: returning(findAll, (found, ids) =>
          ids.flatMap((id) => found.filter((item) => item.id === id)),
        ),
      }),
    ],
    'finds 400 items at most': [
      'G1: a lookup of many ids',
      ({ findAll }) => ({ findAll: (ids) => findAll(ids.slice(0, 400)) }),
    ],
  }
}
