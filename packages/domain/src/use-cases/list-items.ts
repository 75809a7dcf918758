import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ContentType } from '../history/model.ts'
import { meansRestricted } from '../items/donor-restricted.ts'
import type { ItemFilters } from '../items/filters.ts'
import { type ItemCore, Status } from '../items/item.ts'
import type { Matches } from '../items/matching.ts'
import type { ItemQuery } from '../items/queries.ts'
import type { ItemStore } from '../ports/item-store.ts'
import type { ContentPorts } from '../ports/of-content.ts'
import { type ItemId, LabelId } from '../values/ids.ts'
import { listingOf, type PageRequest, type ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf, refined } from '../values/refined.ts'
import { SearchWords } from '../values/text.ts'
import { endOfDay, type Instant, LocalDate, startOfDay, type TimeZone } from '../values/time.ts'
import { type ReadMember, type WithIncluded, withIncluded } from './include.ts'

/** `isDonorRestricted` as a filter: read as by a write, except that an empty value counts as absent (B9, J1). */
export const RestrictedFilter = refined<boolean>(
  'RestrictedFilter',
  (text) => E.right(meansRestricted(text)),
  {
    type: 'string',
    description: '`0` or `false` for public items, any other value for items restricted to donors.',
    example: '0',
  },
)

/** `count`: whether the response carries the number of all matching items (J1, J5). */
export const Count = oneOf(
  'Count',
  ['true', 'false'],
  'Whether to count all matching items in `X-Total-Count`.',
)

/** The parameters that narrow a list of items, and `count` (J1). */
export const FINDING = {
  q: SearchWords,
  labelId: LabelId,
  status: Status,
  isDonorRestricted: RestrictedFilter,
  from: LocalDate,
  to: LocalDate,
  count: Count,
}

/** The decoded {@link FINDING}. */
export interface Finding {
  readonly q?: ReadonlyArray<string> | undefined
  readonly labelId?: LabelId | undefined
  readonly status?: Status | undefined
  readonly isDonorRestricted?: boolean | undefined
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
  readonly count?: 'true' | 'false' | undefined
}

interface Range<K> {
  readonly from: O.Option<K>
  readonly until: O.Option<K>
}

const filtersIn = <K extends string | number>(
  { q = [], labelId, status, isDonorRestricted }: Finding,
  { from, until }: Range<K>,
): ItemFilters<K> | undefined => {
  const filters = {
    words: q,
    labelId: O.fromNullable(labelId),
    status: O.fromNullable(status),
    isDonorRestricted: O.fromNullable(isDonorRestricted),
    from,
    until,
  }
  const { words, ...others } = filters
  const narrows = words.length > 0 || Object.values<O.Option<unknown>>(others).some(O.isSome)
  return narrows ? filters : undefined
}

/** Returns the filters of a list of the library; undefined if it has none (J3). */
export const libraryFilters = (finding: Finding): ItemFilters<LocalDate> | undefined =>
  filtersIn(finding, { from: O.fromNullable(finding.from), until: O.fromNullable(finding.to) })

/** Returns the filters of a list of the feed, whose days are those of the service's time zone; undefined if it has none (J3). */
export const feedFilters = (finding: Finding, zone: TimeZone): ItemFilters<Instant> | undefined =>
  filtersIn(finding, {
    from: O.map((day: LocalDate) => startOfDay(day, zone))(O.fromNullable(finding.from)),
    until: O.chain((day: LocalDate) => endOfDay(day, zone))(O.fromNullable(finding.to)),
  })

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
  readonly store: Pick<ItemStore<Item, Item, Query, Cursor>, 'find' | 'list'>
  readonly matches: Matches<Item, Query>
}

const NO_LABELS: ReadonlySet<LabelId> = new Set()

/** Finds an item if it belongs to a query. A hidden item and one that does not exist take the same way and give the same answer (C4). */
const findMatching = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  { labels }: Pick<ContentPorts, 'labels'>,
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
  ports: Pick<ContentPorts, 'labels'>,
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
  return listed.store.list(query, window, count)
}

/** Lists the items that match, in the window, with what `include` adds. One asked for by its id is a collection of at most one (C4, J1). */
export const listItems = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  ports: Pick<ContentPorts, 'labels'>,
  listed: Listed<Item, Query, Cursor>,
  asked: Asked<Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<WithIncluded<Item>, Cursor>> => {
  const page = select(ports, listed, asked)
  return asked.include.length === 0 ? page : pipe(page, TE.flatMap(withIncluded(asked.include)))
}
