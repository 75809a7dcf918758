import {
  type FeedItem,
  type FeedQuery,
  feedCursor,
  type ItemCore,
  type ItemFilters,
  type Label,
  type LibraryItem,
  type LibraryQuery,
  libraryCursor,
  type Matches,
  matchesFeed,
  matchesLibrary,
  STATUSES,
  type Visibility,
} from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import type { ItemStore } from '@almoner/domain/ports'
import {
  type Instant,
  type ItemDescription,
  type ItemId,
  type ItemTitle,
  instant,
  LANGUAGES,
  type LabelId,
  type LabelName,
  type LocalDate,
  SearchWords,
  type WebUrl,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { seeded, UnderTest } from '../runner.ts'
import { sampleDay, sampleFeedItem, sampleLibraryItem } from '../samples.ts'

export type Chance = ReturnType<typeof seeded>

/** A store of one test, alone with its data. */
export type FindingUnderTest = UnderTest<'libraryItems' | 'feedItems' | 'labels'>

/** Chooses one of these values. */
export const oneOf = <A>(chance: Chance, all: ReadonlyArray<A>): A => {
  const one = all[chance(all.length)]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}

const optionally = <A>(chance: Chance, all: ReadonlyArray<A>): O.Option<A> =>
  chance(3) > 0 ? O.none : O.some(oneOf(chance, all))

/** Words that fold alike, that begin alike, and that are written without spaces. */
const WORDS: ReadonlyArray<string> = [
  ...['École', 'ecole', 'E\u0301coles', 'l’eau', "l'eau", 'Lʼeau', 'eau', 'eaux', 'd’Ivoire'],
  ...['İstanbul', 'istanbul', 'ıstanbul', 'ISTANBUL', 'ﬁnance', 'finance', 'FINANCES', 'Straße', 'strasse'],
  ...['œuvre', 'OEUVRE', 'Ærø', 'Łódź', 'ΣΊΣΥΦΟΣ', 'σίσυφος', '日本語', '日本', '東京都', 'नमस्ते', '१२३'],
  ...[
    '😀',
    '👩‍👩‍👧',
    '🇫🇷',
    '1️⃣',
    'm²',
    'x_y',
    '100%',
    'a',
    'ab',
    'abc',
    'water',
    'waterfall',
    '_',
    '*',
    '"or"',
    'AND',
  ],
]
const SEPARATORS = [' ', ' ', ', ', '—', '-', '\n', '’', '/', '😀', '\u00a0', '_', '.', '*']

/** Returns some words of a text, each with what separates it from the next. */
const text = (chance: Chance, most: number): string => {
  const words = Array.from(
    { length: 1 + chance(most) },
    () => oneOf(chance, WORDS) + oneOf(chance, SEPARATORS),
  )
  return words.join('')
}

/** Returns a `q` that is often the beginning of words. */
const words = (chance: Chance): ReadonlyArray<string> => {
  if (chance(3) === 0) return []
  const asked = Array.from({ length: 1 + chance(2) }, () => {
    const letters = [...oneOf(chance, WORDS)]
    return letters.slice(0, 1 + chance(letters.length)).join('')
  })
  const decoded = SearchWords.decode(asked.join(oneOf(chance, SEPARATORS)))
  return decoded._tag === 'Right' ? decoded.right : []
}

const label = (labelId: string): Label => ({
  labelId: labelId as LabelId,
  en: labelId as LabelName,
  fr: labelId as LabelName,
})

/** Labels, some of whose identifiers are words, and one that no item has. */
export const FINDING_LABELS = ['water', 'eau 😀', '_77', 'unused'].map(label)

const DAYS = Array.from({ length: 5 }, (_, n) => sampleDay(n))
const MOMENTS = [0, 1, 999, 1000, 5000].map((n) => instant(1_700_000_000_000 + n))

const visibility = (chance: Chance): Visibility =>
  chance(2) === 0
    ? { kind: 'everything' }
    : { kind: 'published', restricted: chance(2) === 0, until: optionally(chance, DAYS) }

const filters = <K extends string | number>(chance: Chance, dates: ReadonlyArray<K>): ItemFilters<K> => ({
  words: words(chance),
  labelId: optionally(chance, [...FINDING_LABELS.map(({ labelId }) => labelId), 'unknown' as LabelId]),
  status: optionally(chance, STATUSES),
  isDonorRestricted: optionally(chance, [true, false]),
  isScheduled: optionally(chance, [true, false]),
  from: optionally(chance, dates),
  until: optionally(chance, dates),
})

const varied = (chance: Chance) => ({
  title: text(chance, 3) as ItemTitle,
  description: text(chance, 8) as ItemDescription,
  isDonorRestricted: chance(2) === 0,
  publishAt: optionally(chance, MOMENTS),
  archiveAt: optionally(chance, MOMENTS),
  lang: oneOf(chance, LANGUAGES),
  status: oneOf(chance, STATUSES),
})

const link: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/' as WebUrl }
const image: O.Some<ReturnType<typeof linked>> = { _tag: 'Some', value: linked(link.value) }

/** What the suite needs to know of a content type. */
export interface FoundContent<Item extends ItemCore, NewItem extends Item, Query, K extends string | number> {
  readonly name: 'library' | 'feed'
  readonly of: (
    stores: FindingUnderTest,
  ) => ItemStore<Item, NewItem, Query, { readonly key: K; readonly id: string }>
  readonly make: (n: number) => NewItem
  /** The item with other words, another date and in another state. */
  readonly vary: (item: Item, chance: Chance) => Item
  readonly query: (chance: Chance) => Query
  readonly matches: Matches<Item, Query>
  readonly cursor: (item: Item) => { readonly key: K; readonly id: ItemId }
}

export const FOUND_LIBRARY: FoundContent<
  LibraryItem,
  ReturnType<typeof sampleLibraryItem>,
  LibraryQuery,
  LocalDate
> = {
  name: 'library',
  of: ({ libraryItems }) => libraryItems,
  make: sampleLibraryItem,
  vary: (item, chance) => ({
    ...item,
    ...varied(chance),
    publicationDate: oneOf(chance, DAYS),
    images: { cover: image, notification: image },
  }),
  query: (chance) => ({
    visibility: visibility(chance),
    lang: optionally(chance, LANGUAGES),
    filters: filters(chance, DAYS),
  }),
  matches: matchesLibrary,
  cursor: libraryCursor as never,
}

const KINDS = ['photo', 'link'] as const

export const FOUND_FEED: FoundContent<FeedItem, ReturnType<typeof sampleFeedItem>, FeedQuery, Instant> = {
  name: 'feed',
  of: ({ feedItems }) => feedItems,
  make: sampleFeedItem,
  vary: (item, chance) => ({
    ...item,
    ...varied(chance),
    createdAt: oneOf(chance, MOMENTS),
    content: { kind: oneOf(chance, KINDS), link, vlink: O.none, image: O.none } as never,
  }),
  query: (chance) => ({
    visibility: visibility(chance),
    lang: optionally(chance, LANGUAGES),
    kind: optionally(chance, KINDS),
    filters: filters(chance, MOMENTS),
  }),
  matches: matchesFeed,
  cursor: feedCursor as never,
}
