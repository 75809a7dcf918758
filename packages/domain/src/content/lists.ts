import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import { ItemId, LabelId } from '../values/ids.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  listingOf,
  Offset,
  type PageRequest,
  pageRequest,
  type ResultSet,
} from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf, refined } from '../values/refined.ts'
import { Language, SearchWords } from '../values/text.ts'
import { endOfDay, type Instant, LocalDate, startOfDay, type TimeZone } from '../values/time.ts'
import { FEED_FIELDS, FeedKind, LIBRARY_FIELDS, meansRestricted } from './fields.ts'
import {
  FeedCursor,
  type ItemFilters,
  type ItemQuery,
  LibraryCursor,
  type Matches,
  matchesFeed,
  matchesLibrary,
} from './finding.ts'
import {
  feedImagesOf,
  fieldMembers,
  type IncludeName,
  includeNames,
  includeOf,
  libraryImagesOf,
  type ReadMember,
  readAuthorMember,
  readImagesMember,
  readLabelMember,
  readOlderMember,
  readTranslationMember,
  type WithIncluded,
  withIncluded,
  withScopes,
} from './include.ts'
import { type FeedItem, type ItemCore, type LibraryItem, Status } from './model.ts'
import type { ContentPorts, ItemStore } from './ports.ts'
import { type VisibilityPolicy, visibilityFor } from './rules.ts'

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

/** `scheduled`: whether a moment of the schedule is set (C15, J1). */
const SCHEDULED = 'Whether to list items with a schedule, or without. Needs the scope `content-manager`.'
const Scheduled = oneOf('Scheduled', ['true', 'false'], SCHEDULED)

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
  scheduled: Scheduled,
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
  readonly scheduled?: 'true' | 'false' | undefined
  readonly count?: 'true' | 'false' | undefined
}

interface Range<K> {
  readonly from: O.Option<K>
  readonly until: O.Option<K>
}

const filtersIn = <K extends string | number>(
  { q = [], labelId, status, isDonorRestricted, scheduled }: Finding,
  { from, until }: Range<K>,
): ItemFilters<K> | undefined => {
  const isNarrowed = [labelId, status, isDonorRestricted, scheduled].some((value) => value !== undefined)
  if (q.length === 0 && !isNarrowed && O.isNone(from) && O.isNone(until)) return undefined
  return {
    words: q,
    labelId: O.fromNullable(labelId),
    status: O.fromNullable(status),
    isDonorRestricted: O.fromNullable(isDonorRestricted),
    isScheduled: O.map((text: string) => text === 'true')(O.fromNullable(scheduled)),
    from,
    until,
  }
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

interface Asked<Item, Query, Cursor> {
  readonly itemId: O.Option<ItemId>
  readonly query: Query
  readonly window: PageRequest<Cursor>
  /** The members to add to each item. */
  readonly include: ReadonlyArray<ReadMember<Item>>
  readonly count: boolean
}

/** Lists the items of one content type. */
interface Listed<Item, Query, Cursor> {
  readonly contentType: ContentType
  readonly store: Pick<ItemStore<Item, Item, Query, Cursor>, 'find' | 'list'>
  readonly matches: Matches<Item, Query>
}

/** Finds an item if it belongs to a query. A hidden item and one that does not exist take the same way and give the same answer (C4). */
const findMatching = async <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  { labels }: Pick<ContentPorts, 'labels'>,
  { contentType, store, matches }: Listed<Item, Query, Cursor>,
  id: ItemId,
  query: Query,
): Promise<E.Either<Unavailable, O.Option<Item>>> => {
  const needsLabels = query.filters !== undefined && O.isSome(query.filters.labelId)
  const attached = needsLabels ? await labels.ofItem(contentType, id)() : E.right([])
  if (E.isLeft(attached)) return attached
  const found = await store.find(id)()
  if (E.isLeft(found)) return found
  const labelIds = () => new Set(attached.right.map(({ labelId }) => labelId))
  return E.right(O.filter(matches(query, labelIds))(found.right))
}

/** Returns an item that was found as a collection of at most one. */
const alone = <Item, Cursor>(
  item: O.Option<Item>,
  { offset }: PageRequest<Cursor>,
  count: boolean,
): ResultSet<Item, Cursor> => ({
  ...listingOf(O.isSome(item) && offset === 0 ? [item.value] : [], O.none),
  ...(count ? { total: O.isSome(item) ? 1 : 0 } : {}),
})

/** The items of the whole collection in the window, and their number if it is wanted. */
const select = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  ports: Pick<ContentPorts, 'labels'>,
  listed: Listed<Item, Query, Cursor>,
  { itemId, query, window, count }: Asked<Item, Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<Item, Cursor>> => {
  if (O.isSome(itemId))
    return async () => {
      const found = await findMatching(ports, listed, itemId.value, query)
      return E.isLeft(found) ? found : E.right(alone(found.right, window, count))
    }
  return listed.store.list(query, window, count)
}

/** Lists the items that match, in the window, with what `include` adds. One asked for by its id is a collection of at most one (C4, J1). */
const listItems = <Item extends ItemCore, Query extends ItemQuery, Cursor>(
  ports: Pick<ContentPorts, 'labels'>,
  listed: Listed<Item, Query, Cursor>,
  asked: Asked<Item, Query, Cursor>,
): TE.TaskEither<Unavailable, ResultSet<WithIncluded<Item>, Cursor>> => {
  const page = select(ports, listed, asked)
  return asked.include.length === 0 ? page : pipe(page, TE.flatMap(withIncluded(asked.include)))
}

const libraryOptional = { itemId: ItemId, lim: Lim, offset: Offset, lang: Language, after: LibraryCursor }

/** Parameters of GET /library/<itemId>: without the ones that find items (J1). */
export const GetLibraryItem = parameters({
  name: 'GetLibraryItem',
  required: {},
  optional: libraryOptional,
  prepare: dropOffsetWithoutLimit,
})

/** Parameters of GET /library/. */
export const ListLibraryItems = parameters({
  name: 'ListLibraryItems',
  required: {},
  optional: {
    ...libraryOptional,
    ...FINDING,
    include: includeOf(['labels', 'translation', 'older', 'images', ...includeNames(LIBRARY_FIELDS)]),
  },
  prepare: dropOffsetWithoutLimit,
})
export type ListLibraryItems = typeof ListLibraryItems._A

const LIBRARY_MEMBERS = fieldMembers(LIBRARY_FIELDS)

/** Lists the publications that the caller may see, newest publication date first (A3, C3, C4, C9). */
export const makeListLibraryItems =
  (
    ports: Pick<ContentPorts, 'libraryItems' | 'labels' | 'translations' | 'knownImages' | 'clock'>,
    policy: VisibilityPolicy,
  ) =>
  (
    caller: Caller,
    asked: ListLibraryItems,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<WithIncluded<LibraryItem>, LibraryCursor>> =>
    permitted(
      'listLibraryItems',
      caller,
    )(() => {
      const visibility = visibilityFor(policy, ports.clock, caller)
      const members = {
        labels: () => readLabelMember(ports, 'library'),
        translation: () => readTranslationMember(ports, visibility),
        images: () => readImagesMember(ports, libraryImagesOf),
        older: () => readOlderMember(ports, visibility),
        ...LIBRARY_MEMBERS,
      }
      const include = asked.include ?? []
      const found = listItems(
        ports,
        { contentType: 'library', store: ports.libraryItems, matches: matchesLibrary },
        {
          itemId: O.fromNullable(asked.itemId),
          query: {
            visibility,
            lang: O.fromNullable(asked.lang),
            filters: libraryFilters(asked),
          },
          window: pageRequest(asked),
          include: include.map((name) => members[name]()),
          count: asked.count === 'true',
        },
      )
      return withScopes(LIBRARY_FIELDS, caller, asked, found)
    })

const feedOptional = {
  itemId: ItemId,
  itemType: FeedKind,
  lim: Lim,
  offset: Offset,
  lang: Language,
  after: FeedCursor,
}

/** Parameters of GET /feed/<itemId>: without the ones that find items (J1). */
export const GetFeedItem = parameters({
  name: 'GetFeedItem',
  required: {},
  optional: feedOptional,
  prepare: dropOffsetWithoutLimit,
})

/** Parameters of GET /feed/. */
export const ListFeedItems = parameters({
  name: 'ListFeedItems',
  required: {},
  optional: {
    ...feedOptional,
    ...FINDING,
    include: includeOf(['labels', 'author', 'images', ...includeNames(FEED_FIELDS)]),
  },
  prepare: dropOffsetWithoutLimit,
})
export type ListFeedItems = typeof ListFeedItems._A

const FEED_MEMBERS = fieldMembers(FEED_FIELDS)

/** Returns the members of posts that need no other right than to see the post and, for fields, what they say (D9, J4). */
export const feedMembers = (
  ports: Pick<ContentPorts, 'knownImages' | 'mediaAddresses'>,
): Readonly<Record<'images' | IncludeName<typeof FEED_FIELDS>, () => ReadMember<FeedItem>>> => ({
  images: () => readImagesMember(ports, feedImagesOf(ports.mediaAddresses)),
  ...FEED_MEMBERS,
})

/** Lists the posts that the caller may see, newest first (A3, C3, C4). Authors are for content managers (J4). */
export const makeListFeedItems =
  (
    ports: Pick<
      ContentPorts,
      'feedItems' | 'labels' | 'feedAuthors' | 'knownImages' | 'mediaAddresses' | 'clock'
    >,
    policy: VisibilityPolicy,
  ) =>
  (
    caller: Caller,
    asked: ListFeedItems,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<WithIncluded<FeedItem>, FeedCursor>> =>
    permitted(
      'listFeedItems',
      caller,
    )(() => {
      const include = asked.include ?? []
      const members = {
        labels: () => readLabelMember(ports, 'feed'),
        author: () => readAuthorMember(ports),
        ...feedMembers(ports),
      }
      const found = listItems(
        ports,
        { contentType: 'feed', store: ports.feedItems, matches: matchesFeed },
        {
          itemId: O.fromNullable(asked.itemId),
          query: {
            visibility: visibilityFor(policy, ports.clock, caller),
            lang: O.fromNullable(asked.lang),
            kind: O.fromNullable(asked.itemType),
            filters: feedFilters(asked, policy.timeZone),
          },
          window: pageRequest(asked),
          include: include.map((name) => members[name]()),
          count: asked.count === 'true',
        },
      )
      const shown = withScopes(FEED_FIELDS, caller, asked, found)
      return include.includes('author') ? permitted('includeAuthors', caller)(() => shown) : shown
    })
