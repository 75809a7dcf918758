import {
  type Cursor,
  compareCursors,
  type FeedCursor,
  type FeedItem,
  type FeedQuery,
  feedCursor,
  type ItemCore,
  type LibraryCursor,
  type LibraryItem,
  type LibraryQuery,
  libraryCursor,
  matchesFeed,
  matchesLibrary,
  STATUSES,
  setFeedImage,
  setLibraryImage,
  type UnpublishedFeedItem,
  type UnpublishedLibraryItem,
  type Visibility,
} from '@almoner/domain/content'
import { linked, stored } from '@almoner/domain/media'
import type { FeedItems, ItemStore, LibraryItems } from '@almoner/domain/ports'
import {
  collect,
  instant,
  LANGUAGES,
  type PageRequest,
  type WebUrl,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, seeded, type UnderTest } from '../runner.ts'
import { done, sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from '../samples.ts'
import { itemQueriesContract, type QueriedContent } from './item-queries.ts'
import { itemStoreContract, withoutImages } from './item-store.ts'
import { scheduledChange } from './schedules.ts'

/** The stores of two processes on the same data, for one test. */
export interface OffsetIndexUnderTest {
  readonly stores: readonly [StorePair, StorePair]
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

interface StorePair {
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
}

type Chance = ReturnType<typeof seeded>

/** The parts of the suite that depend on the content type. */
interface ListedContent<Item, NewItem extends Item, Query, K extends string | number> {
  readonly name: string
  readonly of: (stores: StorePair) => ItemStore<Item, NewItem, Query, Cursor<K>>
  /** The n-th item, as new. */
  readonly make: (n: number, chance: Chance) => NewItem
  /** The item with another status, position and language. */
  readonly vary: (item: Item, chance: Chance) => Item
  /** The values of an item that no moment of a schedule changes, but its state. */
  readonly staying: (item: Item) => Partial<Item>
  readonly query: (chance: Chance) => Query
  readonly matches: (query: Query) => (item: Item) => boolean
  readonly cursor: (item: Item) => Cursor<K>
  /** Any cursor, with or without an item at it. */
  readonly anyCursor: (chance: Chance) => Cursor<K>
}

const oneOf = <A>(chance: Chance, all: ReadonlyArray<A>): A => {
  const one = all[chance(all.length)]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}

const optionally = <A>(chance: Chance, all: ReadonlyArray<A>): O.Option<A> =>
  chance(2) === 0 ? O.none : O.some(oneOf(chance, all))

const DAYS = Array.from({ length: 6 }, (_, n) => sampleDay(n))
const MOMENTS = Array.from({ length: 6 }, (_, n) => instant(1_700_000_000_000 + n))

const visibility = (chance: Chance): Visibility =>
  chance(3) === 0
    ? { kind: 'everything' }
    : { kind: 'published', restricted: chance(2) === 0, until: optionally(chance, DAYS) }

const link: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/' as WebUrl }
const image: O.Some<ReturnType<typeof linked>> = { _tag: 'Some', value: linked(link.value) }

const common = (item: ItemCore, chance: Chance) => ({
  isDonorRestricted: chance(2) === 0,
  lang: oneOf(chance, LANGUAGES),
  revision: item.revision + 1,
})

const LIBRARY: ListedContent<
  LibraryItem,
  ReturnType<typeof sampleLibraryItem>,
  LibraryQuery,
  LibraryItem['publicationDate']
> = {
  name: 'library',
  of: ({ libraryItems }) => libraryItems,
  make: (n, chance) => sampleLibraryItem(n, { publicationDate: oneOf(chance, DAYS) }),
  vary: (item, chance) => ({
    ...item,
    ...common(item, chance),
    publicationDate: oneOf(chance, DAYS),
    status: oneOf(chance, STATUSES),
    images: { cover: image, notification: image },
  }),
  staying: ({ isDonorRestricted, lang, publicationDate }) => ({ isDonorRestricted, lang, publicationDate }),
  query: (chance) => ({ visibility: visibility(chance), lang: optionally(chance, LANGUAGES) }),
  matches: matchesLibrary,
  cursor: libraryCursor,
  anyCursor: (chance) => ({ key: oneOf(chance, DAYS), id: sampleId(chance(100)) }),
}

const KINDS = ['photo', 'link'] as const
const CONTENTS = [
  { kind: 'photo', link, vlink: O.none, image: O.none },
  { kind: 'link', link, vlink: O.none, image: O.none },
] as const

const FEED: ListedContent<FeedItem, ReturnType<typeof sampleFeedItem>, FeedQuery, FeedItem['createdAt']> = {
  name: 'feed',
  of: ({ feedItems }) => feedItems,
  make: (n, chance) => sampleFeedItem(n, { createdAt: oneOf(chance, MOMENTS) }),
  vary: (item, chance) => ({
    ...item,
    ...common(item, chance),
    createdAt: oneOf(chance, MOMENTS),
    status: oneOf(chance, STATUSES),
    content: oneOf(chance, CONTENTS),
  }),
  staying: ({ isDonorRestricted, lang, createdAt, content }) =>
    ({ isDonorRestricted, lang, createdAt, content }) as Partial<FeedItem>,
  query: (chance) => ({
    visibility: visibility(chance),
    lang: optionally(chance, LANGUAGES),
    kind: optionally(chance, KINDS),
  }),
  matches: matchesFeed,
  cursor: feedCursor,
  anyCursor: (chance) => ({ key: oneOf(chance, MOMENTS), id: sampleId(chance(100)) }),
}

/** Items and queries, without a store. */
type Model<Item> = ReadonlyMap<string, Item>

/** The ids of a page, computed by the domain alone. */
const expected = <Item extends ItemCore, Query, K extends string | number>(
  { matches, cursor }: Pick<ListedContent<Item, Item, Query, K>, 'matches' | 'cursor'>,
  model: Model<Item>,
  query: Query,
  { after, offset, lim }: PageRequest<Cursor<K>>,
): string => {
  const ordered = [...model.values()]
    .filter(matches(query))
    .sort((a, b) => compareCursors(cursor(a), cursor(b)))
    .filter((item) => O.isNone(after) || compareCursors(cursor(item), after.value) > 0)
  const page = O.isNone(lim) ? ordered : ordered.slice(offset, offset + lim.value)
  return page.map(({ id, revision }) => `${id}.${revision}`).join(' ')
}

/** The number of initial items, of rounds, and of concurrent reads and writes. */
const [ITEMS, ROUNDS, AT_ONCE] = [60, 40, 6]

/** Tests that offsets are exact during concurrent writes of both processes (B4, C3, C9, C11). */
const ranksOf = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  runner: ContractRunner,
  make: () => Promise<OffsetIndexUnderTest>,
  content: ListedContent<Item, NewItem, Query, K>,
  seed: number,
): void =>
  runner(`B4: offsets of the ${content.name} are exact during concurrent writes (${seed})`, async (check) => {
    const { stores, close } = await make()
    const chance = seeded(seed)
    const store = () => content.of(oneOf(chance, stores))
    /** The items of the content type after each write. */
    const states: Array<Model<Item>> = [new Map()]
    const now = (): Model<Item> => states.at(-1) ?? new Map()

    const written = (item: Item) => states.push(new Map([...now(), [item.id, item]]))
    const add = async () => {
      const item = content.make(now().size, chance)
      await done(store().add({ item, linksToImages: [] }))
      written(item)
    }

    /** Changes an item, or only its state at a moment of its schedule (C15). */
    const change = async (old: Item, isScheduled: boolean) => {
      const item = { ...content.vary(old, chance), ...(isScheduled && content.staying(old)) }
      await (isScheduled
        ? done(store().carryOut([old.id], () => [scheduledChange(item)]))
        : done(store().change<never>(old.id, () => E.right(withoutImages(item)))))
      written(item)
    }

    const write = async () => {
      if (now().size < ITEMS || chance(8) === 0) return add()
      const old = oneOf(chance, [...now().values()])
      return change(old, old.revision > 1 && chance(3) === 0)
    }

    const cursor = (): Cursor<K> =>
      chance(2) === 0 ? content.anyCursor(chance) : content.cursor(oneOf(chance, [...now().values()]))

    const window = (): PageRequest<Cursor<K>> => ({
      lim: O.some(oneOf(chance, [1, 3, 20, 600])),
      offset: chance(now().size + 5),
      after: chance(2) === 0 ? O.some(cursor()) : O.none,
    })

    /** Returns whether a page is right for some moment between its request and its response. */
    const page = async () => {
      const [query, asked, from] = [content.query(chance), window(), states.length - 1]
      const listed = await collect(await done(store().list(query, asked)))
      const found = listed.map(({ id, revision }) => `${id}.${revision}`).join(' ')
      // A write may be visible before its caller is resolved.
      return () =>
        states.slice(from).some((model) => expected(content, model, query, asked) === found)
          ? undefined
          : { query, asked, found, now: expected(content, now(), query, asked) }
    }

    const writes = async (many: number) => {
      for (let left = many; left > 0; left -= 1) await write()
    }
    await writes(ITEMS)
    for (let round = 0; round < ROUNDS; round += 1) {
      const pages = Array.from({ length: AT_ONCE }, page)
      const writing = writes(round % 2 === 0 ? chance(AT_ONCE) : 0)
      const [verdicts] = await Promise.all([Promise.all(pages), writing])
      for (const verdict of verdicts) check.same(verdict(), undefined)
      check.same((await page())(), undefined)
    }
    await close()
  })

/** Contract tests of pages by offset, read in two processes that both write. */
export const offsetIndexContract = (
  runner: ContractRunner,
  make: () => Promise<OffsetIndexUnderTest>,
): void => {
  for (const seed of [1, 2]) {
    ranksOf(runner, make, LIBRARY, seed)
    ranksOf(runner, make, FEED, seed)
  }
}

const EVERYTHING = { visibility: { kind: 'everything' }, lang: O.none } as const

const moment = instant(1_700_000_500_000)

const QUERIED_LIBRARY: QueriedContent<
  LibraryItem,
  UnpublishedLibraryItem,
  LibraryQuery,
  LibraryCursor['key']
> = {
  make: sampleLibraryItem,
  withTraits: (item, { day, ...traits }) => ({
    ...item,
    ...traits,
    publicationDate: sampleDay(day),
    images: { cover: image, notification: image },
  }),
  cursor: libraryCursor,
  query: (query) => query,
  date: sampleDay,
  isUnderEmbargo: true,
}

const POST_KINDS = ['photo', 'link', 'vlink'] as const

/** The moment of creation of posts of a day by its number. */
const feedMoment = (day: number) => instant(1_700_000_000_000 + day)

const QUERIED_FEED: QueriedContent<FeedItem, UnpublishedFeedItem, FeedQuery, FeedCursor['key']> = {
  make: sampleFeedItem,
  withTraits: (item, { day, ...traits }) => ({
    ...item,
    ...traits,
    createdAt: feedMoment(day),
    content: { kind: 'link', link, vlink: O.none, image: O.none },
  }),
  cursor: feedCursor,
  query: (query) => ({ ...query, kind: O.none }),
  date: feedMoment,
  isUnderEmbargo: false,
}

/** A store for one test, with its own data. */
export type ItemStoresUnderTest = UnderTest<'libraryItems' | 'feedItems' | 'knownImages'>

/** Contract tests of `LibraryItems`. Several samples have the same day, so that the id decides the order. */
export const libraryItemsContract = (
  runner: ContractRunner,
  make: () => Promise<ItemStoresUnderTest>,
): void => {
  const open = async () => {
    const { libraryItems: items, knownImages, close } = await make()
    return { items, knownImages, close }
  }
  itemQueriesContract(runner, open, QUERIED_LIBRARY)
  itemStoreContract<LibraryItem, UnpublishedLibraryItem, LibraryQuery, LibraryCursor['key']>(runner, open, {
    make: (n) => sampleLibraryItem(n, { id: sampleId(n * 7919), publicationDate: sampleDay(n % 5) }),
    cursor: libraryCursor,
    everything: EVERYTHING,
    showing: (item, image) => setLibraryImage(item, 'cover', stored(image), moment),
  })
}

/** Contract tests of `FeedItems`. Several samples have the same time, so that the id decides the order. */
export const feedItemsContract = (runner: ContractRunner, make: () => Promise<ItemStoresUnderTest>): void => {
  const open = async () => {
    const { feedItems: items, knownImages, close } = await make()
    return { items, knownImages, close }
  }
  itemQueriesContract(runner, open, QUERIED_FEED)
  itemStoreContract<FeedItem, UnpublishedFeedItem, FeedQuery, FeedCursor['key']>(runner, open, {
    make: (n) =>
      sampleFeedItem(n, {
        createdAt: instant(1_700_000_000_000 + (n % 5)),
        content: {
          kind: 'vlink',
          link: O.none,
          vlink: { _tag: 'Some', value: `https://example.org/film/${n}` as WebUrl },
          image: O.none,
        },
      }),
    cursor: feedCursor,
    everything: { ...EVERYTHING, kind: O.none },
    showing: (item, image) => setFeedImage(item, image, moment),
  })

  onEach(runner, open)('a list of one kind of posts', async (check, { items }) => {
    const posts = POST_KINDS.map((kind, n) =>
      sampleFeedItem(n, { content: { kind, link, vlink: link, image: O.none } }),
    )
    for (const item of posts) await done(items.add({ item, linksToImages: [] }))
    for (const [n, kind] of POST_KINDS.entries()) {
      const listing = await done(items.list({ ...EVERYTHING, kind: O.some(kind) }, WHOLE_COLLECTION))
      check.same(await collect(listing), posts.slice(n, n + 1))
    }
  })
}
