import { receiptFrom } from '@almoner/domain/access'
import {
  type Cursor,
  compareCursors,
  HAS_COUNTERPART,
  type HasCounterpart,
  ITEM_NOT_FOUND,
  type ItemCore,
  type Matches,
} from '@almoner/domain/content'
import type { ItemFields } from '@almoner/domain/history'
import type { ItemStore, ItemWrite, ItemWritten } from '@almoner/domain/ports'
import type { ItemId, LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStillBound } from './clients.ts'
import { recordRevision } from './history.ts'
import { holdImages } from './holds.ts'
import { paginate } from './paginate.ts'
import { withReceipt } from './receipts.ts'
import type { Tables } from './tables.ts'

interface Shelved<Item, Query, K extends string | number> {
  readonly items: Map<ItemId, Item>
  readonly attached: ReadonlyMap<ItemId, ReadonlySet<LabelId>>
  readonly matches: Matches<Item, Query>
  readonly cursor: (item: Item) => Cursor<K>
  readonly fields: ItemFields<Item>
  /** Whether an item's language must stay (J7). */
  readonly hasCounterpart?: (id: ItemId) => boolean
}

/** One content type of items in memory: an array sorted by {@link compareCursors} and filtered by the domain's own rule. */
export const memoryItems = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  tables: Tables,
  { items, attached, matches, cursor, fields, hasCounterpart }: Shelved<Item, Query, K>,
): ItemStore<Item, NewItem, Query, Cursor<K>> => {
  const matching = (query: Query): ReadonlyArray<Item> =>
    [...items.values()].filter(matches(query, (id) => attached.get(id) ?? new Set()))
  /** Decides on a change. One of the language of an item with a counterpart is rejected (J7). */
  const decideOn = <L>(
    before: Item,
    decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
  ): E.Either<L | HasCounterpart, ItemWrite<Item>> =>
    pipe(
      decide(before),
      E.filterOrElseW(
        ({ item }) => item.lang === before.lang || hasCounterpart?.(item.id) !== true,
        () => HAS_COUNTERPART,
      ),
    )
  return {
    find: (id) => TE.fromIO(() => O.fromNullable(items.get(id))),
    findAll: (ids) => TE.fromIO(() => [...new Set(ids)].flatMap((id) => items.get(id) ?? [])),
    list: (query, window, isCounted = false) =>
      TE.fromIO(() => {
        const ordered = matching(query).toSorted((a, b) => compareCursors(cursor(a), cursor(b)))
        const page = paginate(ordered, window, cursor, compareCursors)
        return isCounted ? { ...page, total: ordered.length } : page
      }),
    add:
      ({ item, linksToImages, author, act }, receipt) =>
      async () => {
        const added = withReceipt(tables, receipt, (): E.Either<never, NewItem> => {
          holdImages(tables, { item, linksToImages, storesImages: [], displaysImages: [] })
          items.set(item.id, item)
          recordRevision(tables, fields, undefined, item, act)
          if (author !== undefined)
            tables.authors.set(item.id, isStillBound(tables, act) ? author : { ...author, email: O.none })
          return E.right(item)
        })
        return E.map(() => undefined)(added)
      },
    change: (id, decide, receipt) => async () => {
      const ofItem = receiptFrom(receipt, ({ item }: ItemWritten<Item>) => item)
      return withReceipt(tables, ofItem, () => {
        const current = items.get(id)
        if (current === undefined) return E.left(ITEM_NOT_FOUND)
        const write = decideOn(current, decide)
        if (E.isLeft(write)) return write
        const orphans = holdImages(tables, write.right)
        if (E.isLeft(orphans)) return orphans
        items.set(id, write.right.item)
        recordRevision(tables, fields, current, write.right.item, write.right.act)
        return E.right({ item: write.right.item, orphans: orphans.right })
      })
    },
  }
}
