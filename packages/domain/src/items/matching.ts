import * as O from 'fp-ts/lib/Option.js'
import type { ItemId, LabelId } from '../values/ids.ts'
import type { FeedItem } from './feed-item.ts'
import { matchesFilters } from './filters.ts'
import type { LibraryItem } from './library-item.ts'
import type { FeedQuery, ItemQuery, LibraryQuery } from './queries.ts'
import { isVisible } from './visibility.ts'

/** Returns the labels of an item. */
export type LabelsOf = (id: ItemId) => ReadonlySet<LabelId>

/** The rule of which items belong to a query. `labelsOf` matters only to queries that filter by label. */
export type Matches<Item, Query> = (query: Query, labelsOf?: LabelsOf) => (item: Item) => boolean

const NO_LABELS: ReadonlySet<LabelId> = new Set()
const noLabels: LabelsOf = () => NO_LABELS

const isOrAny = <A>(wanted: O.Option<A>, actual: A): boolean => O.isNone(wanted) || wanted.value === actual

const matchesItem = <K extends string | number>(
  { visibility, lang, filters }: ItemQuery<K>,
  item: LibraryItem | FeedItem,
  date: K,
  labelsOf: LabelsOf,
): boolean =>
  isVisible(visibility)(item) &&
  isOrAny(lang, item.lang) &&
  (filters === undefined || matchesFilters(filters)(item, date, labelsOf(item.id)))

/** Returns whether a library item belongs to the result of a query (A3, J1). */
export const matchesLibrary: Matches<LibraryItem, LibraryQuery> =
  (query, labelsOf = noLabels) =>
  (item) =>
    matchesItem(query, item, item.publicationDate, labelsOf)

/** Returns whether a feed item belongs to the result of a query (A3, J1). */
export const matchesFeed: Matches<FeedItem, FeedQuery> =
  (query, labelsOf = noLabels) =>
  (item) =>
    matchesItem(query, item, item.createdAt, labelsOf) && isOrAny(query.kind, item.content.kind)
