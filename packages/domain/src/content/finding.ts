import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { ItemId, type LabelId } from '../values/ids.ts'
import { type Refined, refined } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import { type Instant, instant, LocalDate } from '../values/time.ts'
import type { FeedKind } from './fields.ts'
import { type FeedItem, type Filterable, type LibraryItem, type Status, searchTextOf } from './model.ts'
import { isVisible, type Visibility } from './rules.ts'

/** Narrows a list of items to the ones that match every filter (J1 to J3). `K` is the type of the date that orders them. */
export interface ItemFilters<K extends string | number> {
  /** Folded words, each of which begins a word of one of its texts. */
  readonly words: ReadonlyArray<string>
  readonly labelId: O.Option<LabelId>
  readonly status: O.Option<Status>
  readonly isDonorRestricted: O.Option<boolean>
  /** Whether a moment of the schedule is set (C15). */
  readonly isScheduled: O.Option<boolean>
  /** The first and the last date of the order, both included. */
  readonly from: O.Option<K>
  readonly until: O.Option<K>
}

const isOrAny = <A>(wanted: O.Option<A>, actual: A): boolean => O.isNone(wanted) || wanted.value === actual

const isWithin = <K extends string | number>(
  { from, until }: Pick<ItemFilters<K>, 'from' | 'until'>,
  date: K,
): boolean => (O.isNone(from) || date >= from.value) && (O.isNone(until) || date <= until.value)

const hasWords = (words: ReadonlyArray<string>, item: Filterable): boolean => {
  if (words.length === 0) return true
  const text = searchTextOf(item)
  return words.every((word) => text.includes(` ${word}`))
}

/** Returns whether an item with this date and these labels matches every filter (J1 to J3). Each store's translation is tested against it. */
export const matchesFilters =
  <K extends string | number>(filters: ItemFilters<K>) =>
  (item: Filterable, date: K, labels: ReadonlySet<LabelId>): boolean =>
    isOrAny(filters.status, item.status) &&
    isOrAny(filters.isDonorRestricted, item.isDonorRestricted) &&
    isOrAny(filters.isScheduled, O.isSome(item.publishAt) || O.isSome(item.archiveAt)) &&
    isWithin(filters, date) &&
    (O.isNone(filters.labelId) || labels.has(filters.labelId.value)) &&
    hasWords(filters.words, item)

/** Returns whether no item can match: a store need not search. A caller sees no Drafts, and no date is after a later one (J1, J3). */
export const matchesNothing = <K extends string | number>({
  visibility,
  filters,
}: {
  readonly visibility: Visibility
  readonly filters?: ItemFilters<K> | undefined
}): boolean => {
  if (filters === undefined) return false
  const { status, isDonorRestricted, from, until } = filters
  if (O.isSome(from) && O.isSome(until) && from.value > until.value) return true
  if (visibility.kind === 'everything') return false
  const hides = O.isSome(isDonorRestricted) && isDonorRestricted.value && !visibility.restricted
  return hides || (O.isSome(status) && status.value !== 'Live')
}

/** Selects items: visible to the caller, in one language or in any, and matching filters if there are any (J1). */
export interface ItemQuery<K extends string | number = string | number> {
  readonly visibility: Visibility
  readonly lang: O.Option<Language>
  readonly filters?: ItemFilters<K> | undefined
}

/** Selects publications; filters compare their publication date (J3). */
export type LibraryQuery = ItemQuery<LocalDate>

/** Selects posts, of one kind or of any; filters compare the moment of their creation (J3). */
export interface FeedQuery extends ItemQuery<Instant> {
  readonly kind: O.Option<FeedKind>
}

/** A place in the order of a collection: greatest key first, then greatest id (C3, G3). */
export interface Cursor<K extends string | number> {
  readonly key: K
  readonly id: string
}

/** A place among publications: by the day they were published. */
export type LibraryCursor = Cursor<LocalDate>

/** A place among posts: by the moment they were made. */
export type FeedCursor = Cursor<Instant>

/** Negative when `a` stands before `b` (C3). Total: two places are equal only if they are the same item's. */
export const compareCursors = <K extends string | number>(a: Cursor<K>, b: Cursor<K>): number => {
  if (a.key !== b.key) return a.key > b.key ? -1 : 1
  if (a.id === b.id) return 0
  return a.id > b.id ? -1 : 1
}

const SEPARATOR = '~'

/** The codec of a place's text form, given how its key is read. */
export const cursorCodec = <K extends string | number>(
  name: string,
  key: (text: string) => E.Either<unknown, K>,
): Refined<Cursor<K>> =>
  refined(
    name,
    (text) => {
      const cut = text.indexOf(SEPARATOR)
      const cursor = key(text.slice(0, cut))
      const id = ItemId.decode(text.slice(cut + 1))
      const isWhole = cut > 0 && cut < text.length - SEPARATOR.length
      return isWhole && E.isRight(cursor) && E.isRight(id)
        ? E.right({ key: cursor.right, id: id.right })
        : E.left('must come from the Link header of an earlier answer')
    },
    { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
  )

/** The text form of a place, used in `Link` (C11). */
export const encodeCursor = <K extends string | number>({ key, id }: Cursor<K>): string =>
  `${key}${SEPARATOR}${id}`

/** Reads the place after which a page of the library begins, from the text that {@link encodeCursor} made of it (C11). */
export const LibraryCursor = cursorCodec<LocalDate>('LibraryCursor', (text) => LocalDate.decode(text))

/** Reads the place after which a page of the feed begins, from the text that {@link encodeCursor} made of it (C11). */
export const FeedCursor = cursorCodec<Instant>('FeedCursor', (text) =>
  /^\d{1,15}$/.test(text) ? E.right(instant(Number(text))) : E.left(undefined),
)

/** Returns the labels of an item. */
export type LabelsOf = (id: ItemId) => ReadonlySet<LabelId>

/** The rule of which items belong to a query. `labelsOf` matters only to queries that filter by label. */
export type Matches<Item, Query> = (query: Query, labelsOf?: LabelsOf) => (item: Item) => boolean

const NO_LABELS: ReadonlySet<LabelId> = new Set()
const noLabels: LabelsOf = () => NO_LABELS

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
