import * as O from 'fp-ts/lib/Option.js'
import type { FeedItem } from './feed-item.ts'
import type { LibraryItem } from './library-item.ts'
import type { FeedQuery, LibraryQuery } from './queries.ts'
import { isVisible } from './visibility.ts'

const isOrAny = <A>(wanted: O.Option<A>, actual: A): boolean => O.isNone(wanted) || wanted.value === actual

/** Whether a library item belongs to the answer of a query: seen, and of the language asked for. */
export const matchesLibrary =
  ({ visibility, lang }: LibraryQuery) =>
  (item: LibraryItem): boolean =>
    isVisible(visibility)(item) && isOrAny(lang, item.lang)

/** Whether a feed item belongs to the answer of a query: seen, and of the language and type asked for. */
export const matchesFeed =
  ({ visibility, lang, kind }: FeedQuery) =>
  (item: FeedItem): boolean =>
    isVisible(visibility)(item) && isOrAny(lang, item.lang) && isOrAny(kind, item.content.kind)
