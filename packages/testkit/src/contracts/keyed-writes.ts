import type { Receipt } from '@almoner/domain/access'
import type { LabelId, LabelName } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { collect } from './item-store.ts'
import type { UnderTest } from './runner.ts'
import { done, sampleFeedItem, sampleId, sampleLibraryItem } from './samples.ts'
import { sampleDevice, sampleEmail, sampleNotification } from './samples-people.ts'

type Needs = 'idempotencyKeys' | 'libraryItems' | 'feedItems' | 'labels' | 'devices' | 'notifications'

/** A store for one test, with its own data. */
export type IdempotencyKeysUnderTest = UnderTest<Needs>

const LABEL = { labelId: 'water' as LabelId, en: 'Water' as LabelName, fr: 'Eau' as LabelName }

/** A write that stores a receipt: what the n-th of its kind does, returns and leaves in the store. */
export interface KeyedWrite {
  readonly name: string
  readonly write: (
    store: IdempotencyKeysUnderTest,
    n: number,
    receipt: Receipt<unknown>,
  ) => TaskEither<{ readonly _tag: string }, unknown>
  readonly result: (n: number) => unknown
  readonly isThere: (store: IdempotencyKeysUnderTest, n: number) => Promise<boolean>
}

const edited = (n: number) => ({ ...sampleLibraryItem(n), revision: 2 })

/** Every kind of write that stores a receipt. */
export const KEYED_WRITES: ReadonlyArray<KeyedWrite> = [
  {
    name: 'adding a library item',
    write: ({ libraryItems }, n, receipt) =>
      libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }, receipt),
    result: (n) => sampleLibraryItem(n),
    isThere: async ({ libraryItems }, n) => O.isSome(await done(libraryItems.find(sampleId(n)))),
  },
  {
    name: 'adding a feed item',
    write: ({ feedItems }, n, receipt) =>
      feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }, receipt),
    result: (n) => sampleFeedItem(n),
    isThere: async ({ feedItems }, n) => O.isSome(await done(feedItems.find(sampleId(n)))),
  },
  {
    name: 'changing an item',
    write:
      ({ libraryItems }, n, receipt) =>
      async () => {
        if (O.isNone(await done(libraryItems.find(sampleId(n)))))
          await done(libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
        const item = edited(n)
        return libraryItems.change(
          item.id,
          () => E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] }),
          receipt,
        )()
      },
    result: edited,
    isThere: async ({ libraryItems }, n) => {
      const found = await done(libraryItems.find(sampleId(n)))
      return O.isSome(found) && found.value.revision === 2
    },
  },
  {
    name: 'changing a post',
    write:
      ({ feedItems }, n, receipt) =>
      async () => {
        if (O.isNone(await done(feedItems.find(sampleId(n)))))
          await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
        const item = { ...sampleFeedItem(n), revision: 2 }
        const write = { item, storesImages: [], displaysImages: [], linksToImages: [] }
        return feedItems.change<never>(item.id, () => E.right(write), receipt)()
      },
    result: (n) => ({ ...sampleFeedItem(n), revision: 2 }),
    isThere: async ({ feedItems }, n) => {
      const found = await done(feedItems.find(sampleId(n)))
      return O.isSome(found) && found.value.revision === 2
    },
  },
  {
    name: 'attaching a label',
    write:
      ({ feedItems, labels }, n, receipt) =>
      async () => {
        await done(labels.replaceAll([LABEL]))
        if (O.isNone(await done(feedItems.find(sampleId(n)))))
          await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
        return labels.attach('feed', sampleId(n), LABEL.labelId, receipt)()
      },
    result: () => LABEL,
    isThere: async ({ labels }, n) => (await done(labels.ofItem('feed', sampleId(n)))).length > 0,
  },
  {
    name: 'attaching a device',
    write: ({ devices }, n, receipt) => devices.attach(sampleDevice(n), receipt),
    result: (n) => sampleDevice(n),
    isThere: async ({ devices }, n) => (await collect(devices.ofUser(sampleEmail(n)))).length > 0,
  },
  {
    name: 'adding a notification',
    write: ({ notifications }, n, receipt) => notifications.add(sampleNotification(n), receipt),
    result: (n) => sampleNotification(n),
    isThere: async ({ notifications }, n) =>
      O.isSome(await done(notifications.find(sampleNotification(n).id))),
  },
]

const refuse = () => E.left({ _tag: 'Refused' } as const)

/** Changes of the first sample that are rejected, by what they change. */
export const REJECTED_CHANGES: Readonly<
  Record<
    string,
    (
      store: IdempotencyKeysUnderTest,
      receipt: Receipt<unknown>,
    ) => TaskEither<{ readonly _tag: string }, unknown>
  >
> = {
  'a publication': ({ libraryItems }, receipt) => libraryItems.change(sampleId(1), refuse, receipt),
  'a post': ({ feedItems }, receipt) => feedItems.change(sampleId(1), refuse, receipt),
}
