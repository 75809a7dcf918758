import * as O from 'fp-ts/lib/Option.js'
import {
  type FeedCursor,
  type FeedItem,
  type FeedQuery,
  feedCursor,
  instant,
  type LibraryCursor,
  type LibraryItem,
  type LibraryQuery,
  libraryCursor,
  setFeedImage,
  setLibraryImage,
  stored,
  type UnpublishedFeedItem,
  type UnpublishedLibraryItem,
  type WebUrl,
} from '../src/all.ts'
import { itemStoreContract } from './item-store.ts'
import type { ContractRunner, UnderTest } from './runner.ts'
import { sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from './samples.ts'

const WHOLE_COLLECTION = { visibility: { kind: 'everything' }, lang: O.none } as const

const moment = instant(1_700_000_500_000)

/** A store for one test, with its own data. */
export type ItemStoresUnderTest = UnderTest<'libraryItems' | 'feedItems' | 'knownImages'>

/** Contract tests of `LibraryItems`. Several samples have the same day, so that the id decides the order. */
export const libraryItemsContract = (
  runner: ContractRunner,
  make: () => Promise<ItemStoresUnderTest>,
): void =>
  itemStoreContract<LibraryItem, UnpublishedLibraryItem, LibraryQuery, LibraryCursor['key']>(
    runner,
    async () => {
      const { libraryItems: items, knownImages, close } = await make()
      return { items, knownImages, close }
    },
    {
      make: (n) => sampleLibraryItem(n, { id: sampleId(n * 7919), publicationDate: sampleDay(n % 5) }),
      cursor: libraryCursor,
      everything: WHOLE_COLLECTION,
      showing: (item, image) => setLibraryImage(item, 'cover', stored(image), moment),
    },
  )

/** Contract tests of `FeedItems`. Several samples have the same time, so that the id decides the order. */
export const feedItemsContract = (runner: ContractRunner, make: () => Promise<ItemStoresUnderTest>): void =>
  itemStoreContract<FeedItem, UnpublishedFeedItem, FeedQuery, FeedCursor['key']>(
    runner,
    async () => {
      const { feedItems: items, knownImages, close } = await make()
      return { items, knownImages, close }
    },
    {
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
      everything: { ...WHOLE_COLLECTION, kind: O.none },
      showing: (item, image) => setFeedImage(item, image, moment),
    },
  )
