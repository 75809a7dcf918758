import type { Cursor, ItemCore, ItemQuery } from '@almoner/domain/content'
import type { ItemStore } from '@almoner/domain/ports'
import { type ResultSet, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type FaultsOf, returning } from './faults.ts'
import { withItems } from './item-pages.ts'

/** Faults in which items a list has. */
export const queryFaults = <
  Item extends ItemCore,
  NewItem extends Item,
  Query extends ItemQuery<never>,
  K extends string | number,
>(
  isLibrary: boolean,
): FaultsOf<ItemStore<Item, NewItem, Query, Cursor<K>>> => {
  type Store = ItemStore<Item, NewItem, Query, Cursor<K>>
  /** A store that lists another query than the one that it is asked for. */
  const asking =
    (change: (query: Query) => ItemQuery<never>) =>
    ({ list }: Store): Partial<Store> => ({
      list: (query, ...window) => list({ ...query, ...change(query) }, ...window),
    })
  const filtering = (over: object) =>
    asking((query) => (query.filters ? { ...query, filters: { ...query.filters, ...over } } : query))
  const restricting = (restricted: boolean) =>
    asking(({ visibility, ...query }) => ({
      ...query,
      visibility: visibility.kind === 'published' ? { ...visibility, restricted } : visibility,
    }))
  return {
    'ignores visibility': [
      'A3: users read Live items that are public',
      asking((query) => ({ ...query, visibility: { kind: 'everything' } })),
    ],
    'shows restricted items to users': ['A3: users read Live items that are public', restricting(true)],
    'hides restricted items from donors': ['A3: donors also read', restricting(false)],
    'hides Drafts from content managers': [
      'A3: content managers read items in every state',
      asking((query) => ({ ...query, visibility: { kind: 'published', restricted: true, until: O.none } })),
    ],
    ...(isLibrary && {
      'ignores the embargo': [
        'C9: an embargo hides Live items of later days',
        asking(({ visibility, ...query }) => ({
          ...query,
          visibility: visibility.kind === 'published' ? { ...visibility, until: O.none } : visibility,
        })),
      ],
    }),
    'ignores the language': ['B5: a list in one language', asking((query) => ({ ...query, lang: O.none }))],
    'ignores the words': ['J2: a word finds the items', filtering({ words: [] })],
    'searches for the first word only': [
      'J2: an item that lacks one of the words',
      asking((query) =>
        query.filters
          ? { ...query, filters: { ...query.filters, words: query.filters.words.slice(0, 1) } }
          : query,
      ),
    ],
    'ignores the state': ['J3: a list of one state', filtering({ status: O.none })],
    'ignores the restriction': ['J3: a list of restricted items', filtering({ isDonorRestricted: O.none })],
    'ignores the schedule': ['J1: a list of items with a schedule', filtering({ isScheduled: O.none })],
    'ignores the first date': ['J3: a list from a date', filtering({ from: O.none })],
    'ignores the last date': ['J3: a list to a date', filtering({ until: O.none })],
    'leaves out the last date': [
      'J3: a list to a date, which is included',
      ({ list }) => ({
        list: returning(list, (page, query) =>
          withItems(page, (items) => (O.isSome(query.filters?.until ?? O.none) ? items.slice(1) : items)),
        ),
      }),
    ],
    'finds items that match one of two filters': [
      'J1: filters combine',
      ({ list }) => ({
        list: (query, window, isCounted) => {
          const { filters } = query
          if (filters === undefined) return list(query, window, isCounted)
          const alone = [
            { ...filters, isDonorRestricted: O.none },
            { ...filters, status: O.none },
          ]
          return pipe(
            alone,
            TE.traverseArray((some) => list({ ...query, filters: some }, window, isCounted)),
            TE.map((pages) => {
              const [first, ...others] = pages
              const all = new Map(pages.flatMap(({ loaded = [] }) => loaded).map((item) => [item.id, item]))
              return withItems({ ...first, ...others[0] } as ResultSet<Item, Cursor<K>>, () => [
                ...all.values(),
              ])
            }),
          )
        },
      }),
    ],
    'shows what a filter asks for, for any caller': [
      'J1: filters narrow what the caller may see',
      asking((query) => (query.filters ? { ...query, visibility: { kind: 'everything' } } : query)),
    ],
    'counts the items of the page': [
      'J5: each page has the number of all items',
      ({ list }) => ({
        list: returning(list, (page) => ({ ...page, total: page.loaded?.length ?? 0 })),
      }),
    ],
    'counts items that the caller may not see': [
      'J5: the number counts only what the caller may see',
      ({ list }) => ({
        list: (query, window, isCounted) => async () => {
          const all = await list(
            { ...query, visibility: { kind: 'everything' } },
            WHOLE_COLLECTION,
            isCounted,
          )()
          const page = await list(query, window, isCounted)()
          return E.isRight(all) && E.isRight(page) && all.right.total !== undefined
            ? E.right({ ...page.right, total: all.right.total })
            : page
        },
      }),
    ],
  }
}
