import { collect } from '@almoner/domain/values'
import { done, sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { donor, manager, newFixture, user } from './fixtures/fixture.ts'

const TODAY = sampleDay(2)
const link = { _tag: 'Some', value: read(domain.WebUrl, 'https://example.org/') } as const
const image = { _tag: 'Some', value: domain.linked(link.value) } as const

/** Random items with few days, times and languages, so that many items tie. */
const drawn = fc.array(
  fc.record({
    rank: fc.nat(4),
    status: fc.constantFrom(...domain.STATUSES),
    isDonorRestricted: fc.boolean(),
    lang: fc.constantFrom(...domain.LANGUAGES),
    kind: fc.constantFrom(...domain.FEED_KINDS),
  }),
  { maxLength: 14 },
)
type Drawn = typeof drawn extends fc.Arbitrary<ReadonlyArray<infer D>> ? D : never

const callers = fc.constantFrom(user, donor, manager)
const optional = <A>(values: ReadonlyArray<A>) => fc.option(fc.constantFrom(...values), { nil: undefined })

const asked = fc.record({
  lim: optional([1, 2, 3, 5, 14, 100]),
  offset: optional([0, 1, 4, 13, 200]),
  lang: optional(domain.LANGUAGES),
  itemType: optional(domain.FEED_KINDS),
})
type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

const libraryItem = ({ rank, status, isDonorRestricted, lang }: Drawn, n: number): domain.LibraryItem =>
  ({
    ...sampleLibraryItem(n, { isDonorRestricted, lang, publicationDate: sampleDay(rank) }),
    status,
    images: { cover: image, notification: image },
  }) as domain.LibraryItem

const feedItem = ({ rank, status, isDonorRestricted, lang, kind }: Drawn, n: number): domain.FeedItem =>
  ({
    ...sampleFeedItem(n, { isDonorRestricted, lang, createdAt: domain.instant(rank) }),
    status,
    content: { kind, link, vlink: link, image: O.none },
  }) as domain.FeedItem

/** Stores items of any status in a content type. */
const fill = async <Item extends domain.ItemCore, Query, Cursor>(
  store: domain.ItemStore<Item, Item, Query, Cursor>,
  items: ReadonlyArray<Item>,
) => {
  for (const item of items) await done(store.add({ item, linksToImages: [] }))
}

/** Compares newest first, by texts that grow with the position. */
const newestFirst = <Item extends domain.ItemCore>(
  items: ReadonlyArray<Item>,
  key: (item: Item) => unknown,
) => items.toSorted((a, b) => (`${key(a)} ${a.id}` < `${key(b)} ${b.id}` ? 1 : -1))

const sliced = <Item>(items: ReadonlyArray<Item>, { lim, offset = 0 }: Asked) =>
  lim === undefined ? items : items.slice(offset, offset + lim)

const isSame = (a: ReadonlyArray<domain.ItemCore>, b: ReadonlyArray<domain.ItemCore>) =>
  a.length === b.length && a.every((item, n) => item === b[n])

type List<Cursor extends domain.Cursor<string | number>> = (
  raw: domain.RawParameters,
) => TE.TaskEither<unknown, domain.ResultSet<domain.ItemCore, Cursor>>

/** Follows `next` from the requested page to the end; each page except the last must be full. */
const walk = async <Cursor extends domain.Cursor<string | number>>(list: List<Cursor>, raw: Asked) => {
  const pages: Array<ReadonlyArray<domain.ItemCore>> = []
  let at: domain.RawParameters = raw
  for (;;) {
    const page = await done(list(at))
    const items = await collect(page)
    pages.push(items)
    if (O.isNone(page.next)) return pages.flat()
    if (items.length !== raw.lim) throw new Error('a page with a next one must be full')
    at = { ...raw, offset: undefined, after: domain.encodeCursor(page.next.value) }
  }
}

const runs = { numRuns: 60 }

/** Asserts that a list equals manual filtering, sorting and slicing, and that following `next` visits each item once. */
const agrees = async <Cursor extends domain.Cursor<string | number>>(
  list: List<Cursor>,
  expected: ReadonlyArray<domain.ItemCore>,
  raw: Asked,
) => {
  const page = await done(list(raw))
  const rest = raw.lim === undefined ? expected : expected.slice(raw.offset ?? 0)
  const isLast = raw.lim === undefined || rest.length <= raw.lim
  const pageIsRight = isSame(await collect(page), sliced(expected, raw)) && O.isNone(page.next) === isLast
  return pageIsRight && isSame(await walk(list, raw), rest)
}

t.test(
  'A3, B4, C3, C9, C11: the library list is filtered, sorted and paged; following the cursors visits each item once',
  async () => {
    const property = fc.asyncProperty(
      drawn,
      callers,
      asked,
      fc.boolean(),
      async (many, caller, raw, embargo) => {
        const { act, ports, clock } = newFixture({ embargo })
        clock.set(domain.instant(Date.parse(`${TODAY}T12:00:00Z`)))
        const items = many.map(libraryItem)
        await fill(
          ports.libraryItems as domain.ItemStore<domain.LibraryItem, domain.LibraryItem, never, never>,
          items,
        )
        const visibility = domain.visibilityOf(caller, embargo ? O.some(TODAY) : O.none)
        const seen = items
          .filter(domain.isVisible(visibility))
          .filter(({ lang }) => (raw.lang ?? lang) === lang)
        const list = (given: domain.RawParameters) =>
          act.listLibraryItems(caller, read(domain.ListLibraryItems, given))
        return agrees(
          list,
          newestFirst(seen, (item) => item.publicationDate),
          raw,
        )
      },
    )
    await fc.assert(property, runs)
  },
)

t.test(
  'A3, B4, C3, C11: the feed list is filtered, sorted and paged; following the cursors visits each item once',
  async () => {
    const property = fc.asyncProperty(drawn, callers, asked, async (many, caller, raw) => {
      const { act, ports } = newFixture()
      const items = many.map(feedItem)
      await fill(ports.feedItems as domain.ItemStore<domain.FeedItem, domain.FeedItem, never, never>, items)
      const seen = items
        .filter(domain.isVisible(domain.visibilityOf(caller, O.none)))
        .filter(({ lang }) => (raw.lang ?? lang) === lang)
        .filter(({ content: { kind } }) => (raw.itemType ?? kind) === kind)
      const list = (given: domain.RawParameters) =>
        act.listFeedItems(caller, read(domain.ListFeedItems, given))
      return agrees(
        list,
        newestFirst(seen, (item) => item.createdAt),
        raw,
      )
    })
    await fc.assert(property, runs)
  },
)

t.test('C4: a request by id returns at most one item, with any lim and offset', async () => {
  const property = fc.asyncProperty(drawn, callers, asked, fc.nat(16), async (many, caller, raw, n) => {
    const { act, ports } = newFixture()
    const items = many.map(feedItem)
    await fill(ports.feedItems as domain.ItemStore<domain.FeedItem, domain.FeedItem, never, never>, items)
    const { lang, itemType: kind } = raw
    const query = {
      visibility: domain.visibilityOf(caller, O.none),
      lang: O.fromNullable(lang),
      kind: O.fromNullable(kind),
    }
    const expected = items.filter((item) => item.id === sampleId(n)).filter(domain.matchesFeed(query))
    const list = (given: domain.RawParameters) =>
      act.listFeedItems(caller, read(domain.ListFeedItems, { ...given, itemId: sampleId(n) }))
    return agrees(list, expected, raw)
  })
  await fc.assert(property, runs)
})

t.test('an unavailable store is reported as such, not as an empty list', async (t) => {
  const down = TE.left(domain.unavailable('down'))
  const { act } = newFixture({}, ({ libraryItems }) => ({
    libraryItems: { ...libraryItems, find: () => down, list: () => down },
  }))
  for (const raw of [{}, { itemId: 'x' }])
    t.same(
      await act.listLibraryItems(user, read(domain.ListLibraryItems, raw))(),
      E.left(domain.unavailable('down')),
    )
})
