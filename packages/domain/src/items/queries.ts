import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { ItemId } from '../values/ids.ts'
import { type Refined, refined } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import { type Instant, instant, LocalDate } from '../values/time.ts'
import type { FeedItem, FeedKind } from './feed-item.ts'
import type { ItemFilters } from './filters.ts'
import type { LibraryItem } from './library-item.ts'
import type { Visibility } from './visibility.ts'

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

/** Where a publication stands (C3). */
export const libraryCursor = (item: LibraryItem): LibraryCursor => ({
  key: item.publicationDate,
  id: item.id,
})

/** Where a post stands (C3). */
export const feedCursor = (item: FeedItem): FeedCursor => ({ key: item.createdAt, id: item.id })

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
