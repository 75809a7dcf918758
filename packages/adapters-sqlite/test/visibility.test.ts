import { deepStrictEqual } from 'node:assert/strict'
import type { FeedItem, LibraryItem } from '@almoner/domain'
import {
  type Cursor,
  compareCursors,
  FEED_KINDS,
  feedCursor,
  isVisible,
  libraryCursor,
  STATUSES,
  type Visibility,
} from '@almoner/domain/content'
import { collect, instant, LANGUAGES, type PageRequest, type WebUrl } from '@almoner/domain/values'
import { done, sampleDay, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { idsOf, liveFeedItem, liveLibraryItem, putFeedItem, putLibraryItem } from './live-items.ts'
import { storeOf } from './store-of.ts'

const VISIBILITIES: ReadonlyArray<Visibility> = [
  { kind: 'everything' },
  ...[true, false].flatMap((restricted) =>
    [O.none, O.some(sampleDay(1))].map((until): Visibility => ({ kind: 'published', restricted, until })),
  ),
]
const LANGS = [O.none, ...LANGUAGES.map(O.some)]

/** The page of items in order, computed by the domain alone. */
const cut = <Item, K extends string | number>(
  items: ReadonlyArray<Item>,
  place: (item: Item) => Cursor<K>,
  { lim, offset, after }: PageRequest<Cursor<K>>,
) => {
  const ordered = items.toSorted((a, b) => compareCursors(place(a), place(b)))
  const rest = ordered.filter((item) => O.isNone(after) || compareCursors(place(item), after.value) > 0)
  return O.isNone(lim) ? rest : rest.slice(offset, offset + lim.value)
}

/** Any window, beginning behind any of these places or at the top. */
const windows = <P>(places: ReadonlyArray<P>): fc.Arbitrary<PageRequest<P>> =>
  fc.record({
    lim: fc.oneof(fc.constant(O.none), fc.integer({ min: 1, max: 700 }).map(O.some)),
    offset: fc.nat(40),
    after: fc.oneof(fc.constant(O.none), fc.constantFrom(...places).map(O.some)),
  })

const combinations = [0, 1, 2].flatMap((day) =>
  STATUSES.flatMap((status) =>
    [true, false].flatMap((isDonorRestricted) =>
      LANGUAGES.map((lang) => ({ day, status, isDonorRestricted, lang })),
    ),
  ),
)

t.test('A3, C3, C9, C11: every library list follows isVisible and the order', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  const items = combinations.map(({ day, status, ...rest }, n): LibraryItem => {
    const over = { ...rest, publicationDate: sampleDay(day) }
    return status === 'Live' ? liveLibraryItem(n, over) : { ...sampleLibraryItem(n, over), status }
  })
  for (const item of items) await putLibraryItem(store, item)
  const query = fc.record({ visibility: fc.constantFrom(...VISIBILITIES), lang: fc.constantFrom(...LANGS) })
  const property = fc.assert(
    fc.asyncProperty(query, windows(items.map(libraryCursor)), async ({ visibility, lang }, window) => {
      const seen = items.filter(
        (item) => isVisible(visibility)(item) && (O.isNone(lang) || lang.value === item.lang),
      )
      const listed = await collect(await done(store.libraryItems.list({ visibility, lang }, window)))
      deepStrictEqual(idsOf(listed), idsOf(cut(seen, libraryCursor, window)))
    }),
    { numRuns: 300 },
  )
  await t.resolves(property)
  await store.close()
})

t.test('A3, C3, C9, C11: every feed list follows isVisible and the order', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  const link: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/' as WebUrl }
  const kinds = combinations.flatMap((combination) => FEED_KINDS.map((kind) => ({ ...combination, kind })))
  const items = kinds.map(({ day, status, kind, ...rest }, n): FeedItem => {
    const content = { kind, link, vlink: link, image: O.none }
    const over = { ...rest, createdAt: instant(1_700_000_000_000 + day), content }
    return status === 'Live' ? liveFeedItem(n, over) : { ...sampleFeedItem(n, over), status }
  })
  for (const item of items) await putFeedItem(store, item)
  const query = fc.record({
    visibility: fc.constantFrom(...VISIBILITIES),
    lang: fc.constantFrom(...LANGS),
    kind: fc.constantFrom(O.none, ...FEED_KINDS.map(O.some)),
  })
  const property = fc.assert(
    fc.asyncProperty(query, windows(items.map(feedCursor)), async ({ visibility, lang, kind }, window) => {
      const seen = items.filter(
        (item) =>
          isVisible(visibility)(item) &&
          (O.isNone(lang) || lang.value === item.lang) &&
          (O.isNone(kind) || kind.value === item.content.kind),
      )
      const listed = await collect(await done(store.feedItems.list({ visibility, lang, kind }, window)))
      deepStrictEqual(idsOf(listed), idsOf(cut(seen, feedCursor, window)))
    }),
    { numRuns: 300 },
  )
  await t.resolves(property)
  await store.close()
})
