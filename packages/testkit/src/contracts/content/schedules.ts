import {
  carryOutFeed,
  carryOutLibrary,
  type FeedItem,
  type ItemCore,
  type LibraryItem,
  type ScheduledChange,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { linked } from '@almoner/domain/media'
import type { ItemStore } from '@almoner/domain/ports'
import { addMillis, collect, type Instant, type ItemId, MINUTE, type WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, SAMPLE_MOMENT as NOW, sampleFeedItem, sampleId, sampleLibraryItem } from '../samples.ts'

/** A store for one test, with its own data. */
export type SchedulesUnderTest = UnderTest<'libraryItems' | 'feedItems' | 'history'>

type Schedule = Pick<ItemCore, 'publishAt' | 'archiveAt'>

const LATER = O.some(addMillis(NOW, MINUTE))
const before = (minutes: number) => O.some(addMillis(NOW, -minutes * MINUTE))
const schedule = (publishAt: O.Option<Instant>, archiveAt: O.Option<Instant> = O.none): Schedule => ({
  publishAt,
  archiveAt,
})

/** Returns a change at a moment of a schedule that leaves an item as given. */
export const scheduledChange = <Item>(item: Item): ScheduledChange<Item> => ({
  ...{ item, part: 'publishAt', at: NOW, missing: [] },
  act: { actor: { kind: 'schedule', id: '' }, action: 'update' },
})

/** What a suite needs to know of a content type. */
interface ScheduledContent<Item> {
  readonly contentType: ContentType
  readonly of: (
    store: SchedulesUnderTest,
  ) => Pick<ItemStore<Item, Item, never, never>, 'find' | 'upcoming' | 'carryOut'>
  readonly add: (store: SchedulesUnderTest, n: number, moments: Schedule) => Promise<ItemId>
  /** Adds a Draft that lacks what a Live item needs. */
  readonly addBare: (store: SchedulesUnderTest, n: number, moments: Schedule) => Promise<ItemId>
  readonly carryOut: (now: Instant) => (item: Item) => ReadonlyArray<ScheduledChange<Item>>
  readonly missing: string
}

const CREATED = { actor: { kind: 'client', id: 'app' }, action: 'create' } as const

const address = 'https://example.org/a.png' as WebUrl
const image = O.some(linked(address))

const library: ScheduledContent<LibraryItem> = {
  contentType: 'library',
  of: ({ libraryItems }) => libraryItems,
  add: async ({ libraryItems }, n, moments) => {
    const item = sampleLibraryItem(n, { ...moments, images: { cover: image, notification: image } })
    await done(libraryItems.add({ item, linksToImages: [], act: CREATED }))
    return item.id
  },
  addBare: async ({ libraryItems }, n, moments) => {
    const item = sampleLibraryItem(n, moments)
    await done(libraryItems.add({ item, linksToImages: [], act: CREATED }))
    return item.id
  },
  carryOut: carryOutLibrary,
  missing: 'coverImgUrl,notificationImgUrl',
}

const feed: ScheduledContent<FeedItem> = {
  contentType: 'feed',
  of: ({ feedItems }) => feedItems,
  add: async ({ feedItems }, n, moments) => {
    const item = sampleFeedItem(n, moments)
    await done(feedItems.add({ item, linksToImages: [], act: CREATED }))
    return item.id
  },
  addBare: async ({ feedItems }, n, moments) => {
    const content = { kind: 'photo', link: O.none, vlink: O.none, image: O.none } as const
    const item = sampleFeedItem(n, { ...moments, content })
    await done(feedItems.add({ item, linksToImages: [], act: CREATED }))
    return item.id
  },
  carryOut: carryOutFeed,
  missing: 'link',
}

const schedulesOf = <Item extends LibraryItem | FeedItem>(
  runner: ContractRunner,
  make: () => Promise<SchedulesUnderTest>,
  { contentType, of, add, addBare, carryOut, missing }: ScheduledContent<Item>,
): void => {
  const given = onEach(runner, make)
  const stateOf = async (store: SchedulesUnderTest, id: ItemId) => {
    const item = O.toUndefined(await done(of(store).find(id)))
    if (item === undefined) throw new Error('the item is there')
    const { status, revision, updatedAt, publishAt, archiveAt } = item
    return { status, revision, updatedAt, publishAt, archiveAt }
  }
  const revisionsOf = async ({ history }: SchedulesUnderTest, itemId: ItemId) => {
    const window = { lim: O.none, offset: 0, after: O.none }
    return collect(await done(history.revisions({ contentType, itemId }, window)))
  }

  given(`C15: the moments of ${contentType} items come in the order of time`, async (check, store) => {
    const [a, b, c] = [
      await add(store, 1, schedule(before(1), LATER)),
      await add(store, 2, schedule(before(2))),
      await add(store, 3, schedule(O.none, before(3))),
    ]
    await add(store, 4, schedule(O.none))
    const moments = [
      { itemId: c, at: addMillis(NOW, -3 * MINUTE) },
      { itemId: b, at: addMillis(NOW, -2 * MINUTE) },
      { itemId: a, at: addMillis(NOW, -MINUTE) },
      { itemId: a, at: addMillis(NOW, MINUTE) },
    ]
    check.same(await done(of(store).upcoming(100)), moments)
    check.same(await done(of(store).upcoming(2)), moments.slice(0, 2))
  })

  given(`C15: many ${contentType} items change at once, each once`, async (check, store) => {
    const ids: Array<ItemId> = []
    for (let n = 0; n < 123; n += 1) ids.push(await add(store, n, schedule(before(1), LATER)))
    const waiting = await add(store, 500, schedule(LATER))
    const asked = [...ids, waiting, sampleId(999)]
    const runs = await Promise.all([1, 2, 3].map(() => done(of(store).carryOut(asked, carryOut(NOW)))))
    check.same(
      runs
        .flat()
        .map(({ item }) => item.id)
        .sort(),
      [...ids].sort(),
      'one run changes each item',
    )
    for (const id of ids)
      check.same(await stateOf(store, id), {
        ...{ status: 'Live', revision: 2, updatedAt: NOW, publishAt: O.none, archiveAt: LATER },
      })
    check.same((await stateOf(store, waiting)).status, 'Draft')
    check.same(await done(of(store).carryOut(asked, carryOut(NOW))), [], 'nothing is left to do')
    const moments = await done(of(store).upcoming(500))
    check.same(moments.length, 124)
    check.same([...moments.map(({ itemId }) => itemId)].sort(), [...ids, waiting].sort())
  })

  given(
    `C15, K2: moments of ${contentType} items that come late leave a revision each`,
    async (check, store) => {
      const id = await add(store, 1, schedule(before(2), before(1)))
      const other = await add(store, 2, schedule(before(2)))
      const changes = await done(of(store).carryOut([other, id], carryOut(NOW)))
      const written = changes.map(({ item, part }) => [item.id, part])
      check.same(written.slice(2), [[id, 'archiveAt']], 'in the order of the moments')
      check.same(await stateOf(store, id), {
        ...{ status: 'Archived', revision: 3, updatedAt: NOW, publishAt: O.none, archiveAt: O.none },
      })
      const revisions = await revisionsOf(store, id)
      check.same(
        revisions.map(({ number, actor, action }) => [number.value, actor, action]),
        [
          [3, { kind: 'schedule', id: '' }, 'update'],
          [2, { kind: 'schedule', id: '' }, 'update'],
          [1, CREATED.actor, 'create'],
        ],
      )
      check.same(
        revisions[1]?.changes.map(({ field, after }) => [field, after]),
        [
          ['status', 'Live'],
          ['publishAt', ''],
        ],
      )
      const state = await done(store.history.stateAt({ contentType, itemId: id }, 3))
      check.same(
        O.map((fields: Readonly<Record<string, string>>) => fields['status'])(state),
        O.some('Archived'),
      )
      for (let gone = 1; gone > 0; ) gone = await done(store.history.purge(addMillis(NOW, MINUTE)))
      check.same(
        (await revisionsOf(store, id)).map(({ number }) => number.value),
        [3],
        'the latest one stays (K3)',
      )
    },
  )

  given(
    `C15, K1: a schedule of ${contentType} items that fails leaves its conditions`,
    async (check, store) => {
      const bare = await addBare(store, 1, schedule(before(1), LATER))
      const draft = await add(store, 2, schedule(O.none, before(1)))
      const changes = await done(of(store).carryOut([bare, draft], carryOut(NOW)))
      check.same(changes.length, 2)
      for (const id of [bare, draft])
        check.same(await stateOf(store, id), {
          ...{ status: 'Draft', revision: 2, updatedAt: NOW, publishAt: O.none, archiveAt: O.none },
        })
      const missingOf = async (id: ItemId) => {
        const [{ action, changes = [] } = { action: undefined }] = await revisionsOf(store, id)
        return [action, changes.find(({ field }) => field === 'missing')]
      }
      const named = (after: string) => ['fail-schedule', { field: 'missing', before: null, after }]
      check.same(await missingOf(bare), named(missing))
      check.same(await missingOf(draft), named('status'))
      check.same(await done(of(store).upcoming(10)), [])
    },
  )
}

/** Contract tests of the schedules of both item stores (C15). */
export const schedulesContract = (runner: ContractRunner, make: () => Promise<SchedulesUnderTest>): void => {
  schedulesOf(runner, make, library)
  schedulesOf(runner, make, feed)
}
