import * as O from 'fp-ts/lib/Option.js'
import type { ItemId } from '../values/ids.ts'
import { compareText, type Language } from '../values/text.ts'
import { type Cursor, compareCursors, type ItemFilters, type LabelsOf, matchesLibrary } from './finding.ts'
import { type LibraryItem, libraryCursor, type Status, searchTextOf } from './model.ts'

/** A publication in one language, or in both: the newer side first (J7). */
export interface Publication<Item = LibraryItem> {
  readonly sides: readonly [Item, ...Array<Item>]
}

/** Returns an item and its counterpart, if there is one, as one publication (J7). */
export const publicationOf = (item: LibraryItem, counterpart?: LibraryItem): Publication => {
  if (counterpart === undefined) return { sides: [item] }
  const isNewer = compareCursors(libraryCursor(item), libraryCursor(counterpart)) < 0
  return { sides: isNewer ? [item, counterpart] : [counterpart, item] }
}

/** The orders of publications: the newest first; by title; or Drafts, then Live, then Archived ones, the newest of each first. */
export const PUBLICATION_ORDERS = ['date', 'title', 'state'] as const
/** One of {@link PUBLICATION_ORDERS}. */
export type PublicationOrder = (typeof PUBLICATION_ORDERS)[number]

/** What a Live side may lack: a Live counterpart, or the words that changed on it (J7, J8). */
export const TRANSLATION_GAPS = ['missing', 'older'] as const
/** One of {@link TRANSLATION_GAPS}. */
export type TranslationGap = (typeof TRANSLATION_GAPS)[number]

/** Selects the publications of which one side matches all of this, in an order. */
export interface PublicationQuery {
  readonly order: PublicationOrder
  readonly lang: O.Option<Language>
  readonly gap: O.Option<TranslationGap>
  readonly filters?: ItemFilters<LibraryItem['publicationDate']> | undefined
}

/** A place in an order of publications: the key and the id of the newer side. */
export type PublicationCursor = Cursor<string>

/** Code points of the folded words that order titles. */
export const TITLE_KEY = 100

/** The places of the states in their order, the greatest first. */
export const STATE_RANKS: Readonly<Record<Status, string>> = { Draft: '3', Live: '2', Archived: '1' }

/** Returns the place of a publication in an order. Folded words compare titles, so that case and accents do not matter. */
export const publicationCursor = (
  order: PublicationOrder,
  { sides: [{ id, publicationDate, status, ...texts }] }: Publication,
): PublicationCursor => {
  if (order === 'date') return { key: publicationDate, id }
  if (order === 'state') return { key: `${STATE_RANKS[status]}${publicationDate}`, id }
  return { key: [...searchTextOf(texts)].slice(0, TITLE_KEY).join(''), id }
}

/** Compares places in an order: negative when `a` stands before `b`. Titles ascend, dates and states descend. */
export const comparePublications =
  (order: PublicationOrder) =>
  (a: PublicationCursor, b: PublicationCursor): number => {
    const ascending = compareText(a.key, b.key) || compareText(a.id, b.id)
    return order === 'title' ? ascending : -ascending
  }

/** Returns whether a side of a publication lacks something of its counterpart. */
const hasGap = (
  gap: O.Option<TranslationGap>,
  { status }: LibraryItem,
  counterpart: LibraryItem | undefined,
  isOlder: boolean,
): boolean => {
  if (O.isNone(gap)) return true
  const isBothLive = status === 'Live' && counterpart?.status === 'Live'
  return gap.value === 'older' ? isBothLive && isOlder : status === 'Live' && !isBothLive
}

/** Returns whether one side of a publication matches all of a query (J1, J7, J8). Each store's translation is tested against it. */
export const matchesPublication =
  ({ lang, filters, gap }: PublicationQuery, labelsOf: LabelsOf, isOlder: (id: ItemId) => boolean) =>
  ({ sides }: Publication): boolean => {
    const matches = matchesLibrary({ visibility: { kind: 'everything' }, lang, filters }, labelsOf)
    return sides.some(
      (side) =>
        matches(side) &&
        hasGap(
          gap,
          side,
          sides.find((other) => other !== side),
          isOlder(side.id),
        ),
    )
  }

/** The part of the publications of a query that a page has: after a place, if one is given, from an offset on. */
export interface PublicationWindow {
  readonly lim: number
  readonly offset: number
  readonly after: O.Option<PublicationCursor>
  /** Whether the page has the number of all publications of the query (J5). */
  readonly isCounted: boolean
}

/** A page of publications. */
export interface PublicationPage {
  readonly publications: ReadonlyArray<Publication>
  readonly next: O.Option<PublicationCursor>
  readonly total?: number
}
