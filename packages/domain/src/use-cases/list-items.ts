import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ContentType, ItemCore } from '../items/item.ts'
import type { Matches } from '../items/matching.ts'
import type { ItemQuery } from '../items/queries.ts'
import type { Ports } from '../ports/index.ts'
import type { ItemStore } from '../ports/item-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { ItemId, LabelId } from '../values/ids.ts'
import { listingOf, type PageRequest, type ResultSet } from '../values/page.ts'
import { type ReadMember, type WithIncluded, withIncluded } from './include.ts'

interface Asked<Query, Cursor> {
  readonly itemId: O.Option<ItemId>
  readonly query: Query
  readonly window: PageRequest<Cursor>
  /** The members to add to each item. */
  readonly include: ReadonlyArray<ReadMember>
  readonly count: boolean
}

/** Lists the items of one content type. */
interface Listed<Item, Query, Cursor> {
  readonly contentType: ContentType
  readonly store: Pick<ItemStore<Item, Item, Query, Cursor>, 'find' | 'list' | 'count'>
  readonly matches: Matches<Item, Query>
}

const NO_LABELS: ReadonlySet<LabelId> = new Set()

/** Finds an item if it belongs to a query. A hidden item and one that does not exist take the same way and give the same answer (C4). */
const findMatching = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  { labels }: Pick<Ports, 'labels'>,
  { contentType, store, matches }: Listed<Item, Query, Cursor>,
  id: ItemId,
  query: Query,
): TE.TaskEither<Unavailable, O.Option<Item>> => {
  const needsLabels = query.filters !== undefined && O.isSome(query.filters.labelId)
  const attached = needsLabels
    ? pipe(
        labels.ofItem(contentType, id),
        TE.map((all) => new Set(all.map(({ labelId }) => labelId))),
      )
    : TE.right(NO_LABELS)
  return pipe(
    TE.Do,
    TE.bind('labelIds', () => attached),
    TE.bind('item', () => store.find(id)),
    TE.map(({ labelIds, item }) => O.filter(matches(query, () => labelIds))(item)),
  )
}

/** The items of the whole collection in the window, and their number if it is wanted. */
const select = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  ports: Pick<Ports, 'labels'>,
  listed: Listed<Item, Query, Cursor>,
  { itemId, query, window, count }: Asked<Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<Item, Cursor>> => {
  if (O.isSome(itemId))
    return pipe(
      findMatching(ports, listed, itemId.value, query),
      TE.map((found) => ({
        ...listingOf(O.isSome(found) && window.offset === 0 ? [found.value] : [], O.none),
        ...(count ? { total: O.isSome(found) ? 1 : 0 } : {}),
      })),
    )
  const page = listed.store.list(query, window)
  if (!count) return page
  return pipe(
    listed.store.count(query),
    TE.flatMap((total) => TE.map((found: ResultSet<Item, Cursor>) => ({ ...found, total }))(page)),
  )
}

/** Lists the items that match, in the window, with what `include` adds. One asked for by its id is a collection of at most one (C4, J1). */
export const listItems = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  ports: Pick<Ports, 'labels'>,
  listed: Listed<Item, Query, Cursor>,
  asked: Asked<Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<WithIncluded<Item>, Cursor>> => {
  const page = select(ports, listed, asked)
  return asked.include.length === 0 ? page : pipe(page, TE.flatMap(withIncluded(asked.include)))
}
