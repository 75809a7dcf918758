import {
  type FeedCursor,
  type FeedItem,
  type FeedQuery,
  feedCursor,
  type LibraryCursor,
  type LibraryItem,
  type LibraryQuery,
  libraryCursor,
  setFeedImage,
  setLibraryImage,
  type UnpublishedFeedItem,
  type UnpublishedLibraryItem,
} from '@almoner/domain/content'
import { linked, stored } from '@almoner/domain/media'
import { collect, instant, type WebUrl, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { itemQueriesContract, type QueriedContent } from './item-queries.ts'
import { itemStoreContract } from './item-store.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from './samples.ts'

const EVERYTHING = { visibility: { kind: 'everything' }, lang: O.none } as const

const moment = instant(1_700_000_500_000)

const link: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/' as WebUrl }
const image: O.Some<ReturnType<typeof linked>> = { _tag: 'Some', value: linked(link.value) }

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

const KINDS = ['photo', 'link', 'vlink'] as const

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
    const posts = KINDS.map((kind, n) =>
      sampleFeedItem(n, { content: { kind, link, vlink: link, image: O.none } }),
    )
    for (const item of posts) await done(items.add({ item, linksToImages: [] }))
    for (const [n, kind] of KINDS.entries()) {
      const listing = await done(items.list({ ...EVERYTHING, kind: O.some(kind) }, WHOLE_COLLECTION))
      check.same(await collect(listing), posts.slice(n, n + 1))
    }
  })
}
