import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId } from '../values/ids.ts'
import { listingOf, Offset, type ResultSet } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { integer, oneOf, refined } from '../values/refined.ts'
import { compareText, Language } from '../values/text.ts'
import {
  type Cursor,
  compareCursors,
  encodeCursor,
  type ItemFilters,
  type LabelsOf,
  matchesLibrary,
} from './finding.ts'
import {
  libraryImagesOf,
  readImagesMember,
  readLabelMember,
  readOlderMember,
  readTranslationMember,
  type WithIncluded,
  withIncluded,
} from './include.ts'
import { FINDING, libraryFilters } from './lists.ts'
import { type LibraryItem, libraryCursor, type Status, searchTextOf } from './model.ts'
import type { ContentPorts } from './ports.ts'

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

/** The most publications of one page, and those of a page unless asked otherwise. */
const MOST_LISTED = 100
const LISTED = 25

const PublicationCursorText = refined<PublicationCursor>(
  'PublicationCursor',
  (text) => {
    const cut = text.lastIndexOf('~')
    const id = ItemId.decode(text.slice(cut + 1))
    return cut > 0 && E.isRight(id)
      ? E.right({ key: text.slice(0, cut), id: id.right })
      : E.left('must come from the Link header of an earlier answer')
  },
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)

/** Parameters of GET /publications. */
export const ListPublications = parameters({
  name: 'ListPublications',
  required: {},
  optional: {
    lim: integer('PublicationLim', 1, MOST_LISTED, `Maximum number of publications. Default: ${LISTED}.`),
    offset: Offset,
    after: PublicationCursorText,
    order: oneOf('PublicationOrder', PUBLICATION_ORDERS, 'Order of the publications. Default: date.'),
    lang: Language,
    ...FINDING,
    translation: oneOf(
      'TranslationGap',
      TRANSLATION_GAPS,
      'Live items without a Live counterpart, or with one whose words have changed.',
    ),
  },
})
export type ListPublications = typeof ListPublications._A

/** The text form of a place in an order of publications. */
export const encodePublicationCursor: (cursor: PublicationCursor) => string = encodeCursor

/**
 * Lists publications, both languages of each as one, which stands where its newer side does (J7). A publication matches if either side does, and
 * counts once. Items come with labels, images and counterparts.
 */
export const makeListPublications =
  (ports: Pick<ContentPorts, 'translations' | 'labels' | 'knownImages'>) =>
  (
    caller: Caller,
    { order = 'date', lim = LISTED, ...asked }: ListPublications,
  ): TE.TaskEither<
    InsufficientScope | Unavailable,
    ResultSet<Publication<WithIncluded<LibraryItem>>, PublicationCursor>
  > =>
    permitted(
      'linkTranslation',
      caller,
    )(() => {
      const query: PublicationQuery = {
        order,
        lang: O.fromNullable(asked.lang),
        gap: O.fromNullable(asked.translation),
        filters: libraryFilters(asked),
      }
      const visibility = { kind: 'everything' } as const
      const included = withIncluded<LibraryItem>([
        readLabelMember(ports, 'library'),
        readImagesMember(ports, libraryImagesOf),
        readTranslationMember(ports, visibility),
        readOlderMember(ports, visibility),
      ])
      return pipe(
        ports.translations.publications(query, {
          ...{ lim, offset: asked.offset ?? 0 },
          after: O.fromNullable(asked.after),
          isCounted: asked.count === 'true',
        }),
        TE.bindTo('page'),
        TE.bind('items', ({ page }) =>
          included(
            listingOf(
              page.publications.flatMap(({ sides }) => sides),
              O.none,
            ),
          ),
        ),
        TE.map(({ page: { publications, next, ...counted }, items: { loaded = [] } }) => {
          const found = new Map(loaded.map((item) => [item.id, item]))
          const withMembers = ({ sides: [first, ...others] }: Publication) => {
            const of = (side: LibraryItem) => found.get(side.id) ?? side
            return { sides: [of(first), ...others.map(of)] as const }
          }
          return { ...listingOf(publications.map(withMembers), next), ...counted }
        }),
      )
    })
