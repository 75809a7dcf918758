import {
  type DeletionId,
  type FeedItem,
  ITEM_NOT_FOUND,
  type Label,
  type LibraryItem,
  nextRevision,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { linked, stored } from '@almoner/domain/media'
import type { FeedItems, ItemStore, LibraryItems } from '@almoner/domain/ports'
import {
  type ClientId,
  collect,
  type ItemId,
  instant,
  type LabelId,
  type LabelName,
  type WebUrl,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { BY_APP, CREATED, EVERYTHING } from '../history/fixture.ts'
import { type ContractRunner, onEach } from '../runner.ts'
import {
  done,
  failure,
  sampleEmail,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
  sampleMoment,
} from '../samples.ts'
import {
  back,
  NO_IMAGES,
  OTHER,
  type RemovalsUnderTest,
  removal,
  removedLinksContract,
} from './removal-links.ts'

const IMAGE = sampleImage(1)

const labelOf = (labelId: string): Label => ({
  labelId: labelId as LabelId,
  ...{ en: labelId as LabelName, fr: labelId as LabelName },
})
const [WATER, HEALTH] = [labelOf('water'), labelOf('health')]

type Items = Pick<
  ItemStore<LibraryItem | FeedItem, never, never, never>,
  'find' | 'change' | 'remove' | 'putBack' | 'purgeRemoved'
>

/** What a suite needs to know of a content type. */
interface RemovableContent {
  readonly contentType: ContentType
  readonly of: (store: RemovalsUnderTest) => Items
  readonly add: (store: RemovalsUnderTest, n: number) => Promise<ItemId>
  /** The item with a stored image. */
  readonly showing: (item: LibraryItem | FeedItem) => LibraryItem | FeedItem
}

const PICTURE = O.some(linked('https://example.org/a.png' as WebUrl))

const library: RemovableContent = {
  contentType: 'library',
  of: ({ libraryItems }: { readonly libraryItems: LibraryItems }) => libraryItems as unknown as Items,
  add: async ({ libraryItems }, n) => {
    const item = sampleLibraryItem(n, { images: { cover: PICTURE, notification: PICTURE } })
    await done(libraryItems.add({ item, linksToImages: [], act: CREATED }))
    return item.id
  },
  showing: (item) =>
    ({ ...item, images: { cover: O.some(stored(IMAGE.name)), notification: PICTURE } }) as LibraryItem,
}

const feed: RemovableContent = {
  contentType: 'feed',
  of: ({ feedItems }: { readonly feedItems: FeedItems }) => feedItems as unknown as Items,
  add: async ({ feedItems }, n) => {
    const item = sampleFeedItem(n)
    const author = { clientId: 'app' as ClientId, email: O.some(sampleEmail(n)) }
    await done(feedItems.add({ item, linksToImages: [], act: CREATED, author }))
    return item.id
  },
  showing: (item) => {
    const { content } = item as FeedItem
    return { ...item, content: { ...content, image: O.some(IMAGE.name) } } as FeedItem
  },
}

const removalsOf = (
  runner: ContractRunner,
  make: () => Promise<RemovalsUnderTest>,
  { contentType, of, add, showing }: RemovableContent,
): void => {
  const given = onEach(runner, make)
  const update = (store: RemovalsUnderTest, id: ItemId, over: object, image = false) =>
    done(
      of(store).change(id, (current) => {
        const next = nextRevision({ ...current, ...over } as LibraryItem, instant(current.updatedAt + 1))
        const item = image ? showing(next) : next
        const images = image ? { storesImages: [IMAGE], displaysImages: [IMAGE.name] } : {}
        return E.right({ item, ...NO_IMAGES, ...images, act: BY_APP })
      }),
    )
  const remove = (store: RemovalsUnderTest, id: ItemId, made = removal(0)) =>
    of(store).remove(id, () => E.right(made))
  const revisions = async ({ history }: RemovalsUnderTest, itemId: ItemId) =>
    collect(await done(history.revisions({ contentType, itemId }, { lim: O.none, offset: 0, after: O.none })))
  const audit = async ({ history }: RemovalsUnderTest) =>
    (await collect(await done(history.audit(EVERYTHING, { lim: O.none, offset: 0, after: O.none })))).filter(
      ({ action }) => action === 'delete-item' || action === 'restore',
    )
  const knows = async ({ knownImages }: RemovalsUnderTest) =>
    (await done(knownImages.among([IMAGE.name]))).size === 1

  given(
    `C18: ${contentType}, a deleted item is gone with labels and history, and the record has all fields`,
    async (check, store) => {
      await done(store.labels.replaceAll([WATER]))
      const [id, other] = [await add(store, 1), await add(store, 2)]
      await done(store.labels.attach(contentType, id, WATER.labelId))
      const item = await done(of(store).find(id))
      check.same(await done(remove(store, id)), O.toUndefined(item))
      check.same(await done(of(store).find(id)), O.none)
      check.ok(O.isSome(await done(of(store).find(other))))
      check.same(await revisions(store, id), [])
      check.same(await done(store.labels.ofItem(contentType, id)), [])
      check.same(await failure(store.labels.attach(contentType, id, WATER.labelId)), 'ItemNotFound')
      check.same((await done(store.feedAuthors.ofPosts([id]))).size, 0)
      check.same(await failure(remove(store, id, removal(1, OTHER))), 'ItemNotFound')
      const [record] = await audit(store)
      check.same(record?.subject, { kind: contentType, id })
      const title = record?.changes.find(({ field }) => field === 'itemTitle')
      check.same([title?.before, title?.after], ['Title 1 é 😀', null])
      check.ok(await done(store.labels.replaceAll([])), 'no item has the label any more')
    },
  )

  given(
    `C18: ${contentType}, the decision sees whether the item was ever Live, also by a schedule`,
    async (check, store) => {
      const ids = [await add(store, 1), await add(store, 2), await add(store, 3)] as const
      await update(store, ids[1], { status: 'Live' })
      await update(store, ids[1], { status: 'Draft' })
      await update(store, ids[1], { status: 'Archived' })
      const moved = (id: ItemId, status: 'Live' | 'Draft') =>
        done(
          (of(store) as unknown as LibraryItems).carryOut([id], (item) => [
            {
              ...{ part: 'publishAt', at: sampleMoment(0), missing: [] },
              act: { actor: { kind: 'schedule', id: '' }, action: 'update' },
              item: nextRevision({ ...item, status } as LibraryItem, instant(item.updatedAt + 1)),
            },
          ]),
        )
      await moved(ids[2], 'Live')
      await moved(ids[2], 'Draft')
      const seen: Array<boolean> = []
      for (const id of ids) {
        const refused = of(store).remove(id, (_, wasLive) => {
          seen.push(wasLive)
          return E.left({ _tag: 'NotDeletable' })
        })
        check.same(await failure(refused), 'NotDeletable')
        check.ok(O.isSome(await done(of(store).find(id))), 'a refused deletion changes nothing')
      }
      check.same(seen.slice(-3), [false, true, true])
      await update(store, ids[0], { status: 'Live' })
      const live = of(store).remove(ids[0], (_, wasLive) => E.left({ _tag: String(wasLive) }))
      check.same(await failure(live), 'true')
    },
  )

  given(
    `C18: ${contentType}, a deletion is taken back with fields, labels, author, images and history`,
    async (check, store) => {
      await done(store.labels.replaceAll([WATER, HEALTH]))
      const id = await add(store, 1)
      for (const { labelId } of [WATER, HEALTH]) await done(store.labels.attach(contentType, id, labelId))
      await update(store, id, { publishAt: O.some(sampleMoment(60)) }, true)
      const [item, before] = [await done(of(store).find(id)), await revisions(store, id)]
      const authors = await done(store.feedAuthors.ofPosts([id]))
      await done(remove(store, id))
      await done(store.labels.replaceAll([HEALTH]))
      const restored = await done(of(store).putBack(id, back(10), sampleMoment(0)))
      check.same(O.some(restored), item)
      check.same(await done(of(store).find(id)), item)
      check.same(await revisions(store, id), before)
      check.same(await done(store.labels.ofItem(contentType, id)), [HEALTH])
      check.same(await done(store.feedAuthors.ofPosts([id])), authors)
      check.same(
        (await audit(store)).map(({ action }) => action),
        ['restore', 'delete-item'],
      )
      const replaced = await update(store, id, { title: 'Another one' })
      check.same(replaced.orphans, [IMAGE.name], 'the item holds its image again')
      check.same((await revisions(store, id)).length, before.length + 1)
      check.same(await done(store.history.purge(sampleMoment(60))), before.length + 2)
      check.same((await revisions(store, id)).length, 1, 'the latest revision stays (K3)')
    },
  )

  given(
    `C18: ${contentType}, it is taken back once, by its own name, item and time`,
    async (check, store) => {
      const [id, other] = [await add(store, 1), await add(store, 2)]
      await done(remove(store, id))
      await done(remove(store, other, removal(5, OTHER)))
      const { putBack } = of(store)
      check.same(await putBack(id, back(6, OTHER), sampleMoment(0))(), E.left(ITEM_NOT_FOUND))
      check.same(await putBack(sampleId(9), back(6), sampleMoment(0))(), E.left(ITEM_NOT_FOUND))
      check.same(await putBack(id, back(11), sampleMoment(1))(), E.left(ITEM_NOT_FOUND), 'too late')
      check.same(await failure(putBack(id, back(-61), sampleMoment(-71))), 'ItemNotFound', 'far ahead (I9)')
      const both = [putBack(id, back(-60), sampleMoment(0)), putBack(id, back(9), sampleMoment(0))]
      const tags = await Promise.all(both.map(failure))
      check.same(tags.sort(), ['ItemNotFound', 'none'])
      await done(putBack(other, back(11, OTHER), sampleMoment(1)))
      check.ok(O.isSome(await done(of(store).find(other))))
      await done(remove(store, id, removal(12, 'third' as DeletionId)))
      check.same(await failure(putBack(id, back(13), sampleMoment(0))), 'ItemNotFound')
    },
  )

  given(
    `C18: ${contentType}, images stay known until the deletion is forgotten (D5)`,
    async (check, store) => {
      const [id, other] = [await add(store, 1), await add(store, 2)]
      await update(store, id, {}, true)
      await done(remove(store, id))
      await done(remove(store, other, removal(90, OTHER)))
      check.ok(await knows(store))
      check.same(await done(of(store).purgeRemoved(sampleMoment(-1), sampleMoment(30))), {
        items: 0,
        orphans: [],
      })
      check.same(await done(of(store).purgeRemoved(sampleMoment(89), sampleMoment(90))), {
        items: 1,
        orphans: [IMAGE.name],
      })
      check.ok(!(await knows(store)))
      check.same(await failure(of(store).putBack(id, back(1), sampleMoment(0))), 'ItemNotFound')
      check.ok(await done(of(store).putBack(other, back(91, OTHER), sampleMoment(90))), 'the later one stays')
      check.same(await done(of(store).purgeRemoved(sampleMoment(99), sampleMoment(99))), {
        items: 0,
        orphans: [],
      })
      await done(remove(store, other, removal(100, 'third' as DeletionId)))
      const early = of(store).purgeRemoved(sampleMoment(-20), sampleMoment(40))
      check.same(await done(early), { items: 0, orphans: [] }, 'a minute ahead')
      const late = of(store).purgeRemoved(sampleMoment(-21), sampleMoment(39))
      check.same(await done(late), { items: 1, orphans: [] }, 'far ahead (I9)')
    },
  )

  given(`C18: ${contentType}, copies learn of a deletion and of its end (N2)`, async (check, store) => {
    const id = await add(store, 1)
    await done(store.labels.replaceAll([WATER]))
    await done(store.labels.attach(contentType, id, WATER.labelId))
    const changesBehind = async (position: number) => {
      const { changes } = await done(
        store.changes.after({
          ...{ position, place: O.none, kinds: [contentType], aspects: ['own', 'labels'], most: 100 },
        }),
      )
      return changes.map((one) => [one.aspect, 'state' in one && O.isSome(one.state as O.Option<unknown>)])
    }
    const { position } = await done(store.changes.tip())
    await done(remove(store, id))
    check.same(await changesBehind(position), [['own', false]])
    const { position: gone } = await done(store.changes.tip())
    await done(of(store).putBack(id, back(1), sampleMoment(0)))
    check.same(await changesBehind(gone), [['own', true]])
    check.same(await done(store.changes.purge(sampleMoment(99))), 0, 'it is not gone any more')
    await done(remove(store, id, removal(2, OTHER)))
    await add(store, 2)
    check.same(await done(store.changes.purge(sampleMoment(99))), 1)
  })
}

/** Contract tests of deleting drafts, and of taking that back (C18). */
export const removalsContract = (runner: ContractRunner, make: () => Promise<RemovalsUnderTest>): void => {
  removalsOf(runner, make, library)
  removalsOf(runner, make, feed)
  removedLinksContract(runner, make)
}
