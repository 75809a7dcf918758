import { type Cursor, compareCursors, type ItemCore } from '@almoner/domain/content'
import type { MediaName } from '@almoner/domain/media'
import type { ItemStore, ItemWrite, KnownImages } from '@almoner/domain/ports'
import { collect, type PageRequest } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach } from '../runner.ts'
import { done, failure, sampleId, sampleImage } from '../samples.ts'

/** What a suite needs to know of a content type. */
export interface ItemSamples<Item, NewItem, Query, P> {
  /** The n-th item to add. */
  readonly make: (n: number) => NewItem
  /** Where an item stands in the order of its collection. */
  readonly cursor: (item: Item) => P
  /** Sees everything. */
  readonly everything: Query
  /** The item showing a stored image. */
  readonly showing: (item: Item, image: MediaName) => Item
}

/** A store of one test, alone with its data. */
export interface ItemStoreUnderTest<Item, NewItem extends Item, Query, P> {
  readonly items: ItemStore<Item, NewItem, Query, P>
  readonly knownImages: KnownImages
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

const NO_IMAGES = { storesImages: [], displaysImages: [], linksToImages: [] }

/** Returns the write of an item without images. */
export const withoutImages = <Item>(item: Item): ItemWrite<Item> => ({ item, ...NO_IMAGES })

/** What every store of items must do, whichever the content type. */
export const itemStoreContract = <
  Item extends ItemCore,
  NewItem extends Item,
  Query,
  K extends string | number,
>(
  runner: ContractRunner,
  make: () => Promise<ItemStoreUnderTest<Item, NewItem, Query, Cursor<K>>>,
  samples: ItemSamples<Item, NewItem, Query, Cursor<K>>,
): void => {
  type Store = ItemStoreUnderTest<Item, NewItem, Query, Cursor<K>>
  const given = onEach(runner, make)
  const fill = async ({ items }: Store, count: number) => {
    const made = Array.from({ length: count }, (_, n) => samples.make(n))
    for (const item of made) await done(items.add({ item, linksToImages: [] }))
    return [...made].sort((a, b) => compareCursors(samples.cursor(a), samples.cursor(b)))
  }
  const window = (
    lim: number,
    offset: number,
    after: O.Option<Cursor<K>> = O.none,
  ): PageRequest<Cursor<K>> => ({
    lim: O.some(lim),
    offset,
    after,
  })
  const everything: PageRequest<Cursor<K>> = { lim: O.none, offset: 0, after: O.none }
  const page = async ({ items }: Store, asked: PageRequest<Cursor<K>>) =>
    done(items.list(samples.everything, asked))

  given('an added item is found with all its fields, an unknown one is not', async (check, store) => {
    const item = samples.make(7)
    await done(store.items.add({ item, linksToImages: [] }))
    check.same(await done(store.items.find(item.id)), O.some(item))
    check.same(await done(store.items.find(sampleId(8))), O.none)
  })

  given('G1: a lookup of many ids returns each existing item once', async (check, store) => {
    const ordered = await fill(store, 403)
    const ids = ordered.map(({ id }) => id)
    const found = await done(store.items.findAll([...ids, ...ids.slice(0, 3), sampleId(999_999_999)]))
    check.same(new Map(found.map((item) => [item.id, item])), new Map(ordered.map((item) => [item.id, item])))
    check.same(found.length, 403)
    check.same(await done(store.items.findAll([sampleId(999_999_999)])), [])
    check.same(await done(store.items.findAll([])), [])
  })

  given('C3: the whole collection is returned in the order of the content type', async (check, store) => {
    const ordered = await fill(store, 40)
    check.same(await collect(await page(store, everything)), ordered)
  })

  given('C11: each page has the cursor of the next one, and the last page has none', async (check, store) => {
    const ordered = await fill(store, 7)
    const first = await page(store, window(3, 0))
    check.same(await collect(first), ordered.slice(0, 3))
    const second = await page(store, window(3, 0, first.next))
    check.same(await collect(second), ordered.slice(3, 6))
    const third = await page(store, window(3, 0, second.next))
    check.same(await collect(third), ordered.slice(6))
    check.same(third.next, O.none)
    check.same((await page(store, window(7, 0))).next, O.none, 'a full last page has no next page')
  })

  given('B4: offset skips that many items; beyond the end the page is empty', async (check, store) => {
    const ordered = await fill(store, 5)
    const middle = await page(store, window(2, 1))
    check.same(await collect(middle), ordered.slice(1, 3))
    check.same(middle.next, O.fromNullable(ordered[2] && samples.cursor(ordered[2])))
    check.same(await collect(await page(store, window(2, 5))), [])
    check.same(await collect(await page(store, window(2147483647, 4))), ordered.slice(4))
    const beyond = await page(store, window(1, 2147483647))
    check.same(await collect(beyond), [])
    check.same(beyond.next, O.none)
    const fromCursor = await page(store, window(2, 1, middle.next))
    check.same(await collect(fromCursor), ordered.slice(4), 'an offset counts from a cursor')
  })

  given('C11: lim above the batch size still returns the next cursor', async (check, store) => {
    const ordered = await fill(store, 1203)
    const large = await page(store, window(1200, 1))
    check.same(await collect(large), ordered.slice(1, 1201))
    check.same(large.next, O.fromNullable(ordered[1200] && samples.cursor(ordered[1200])))
    check.same(await collect(await page(store, window(1200, 0, large.next))), ordered.slice(1201))
  })

  given('C12: without lim the collection is one snapshot, and writes continue', async (check, store) => {
    const ordered = await fill(store, 1200)
    const listing = await page(store, everything)
    const seen: Array<Item> = []
    let written = false
    for await (const batch of listing.batches) {
      seen.push(...batch)
      if (written) continue
      written = true
      await done(store.items.add({ item: samples.make(5000), linksToImages: [] }))
      const last = ordered.at(-1)
      if (last !== undefined)
        await done(store.items.change(last.id, (item) => E.right(withoutImages({ ...item, revision: 99 }))))
    }
    check.same(seen, ordered)
    check.same((await collect(await page(store, everything))).length, 1201)
  })

  given('a reader that stops early does not block the store', async (check, store) => {
    const ordered = await fill(store, 1200)
    for (let round = 0; round < 50; round += 1)
      for await (const batch of (await page(store, everything)).batches) {
        check.ok(batch.length > 0)
        break
      }
    check.same(await collect(await page(store, everything)), ordered)
  })

  given('a change gets the current item; if it returns Left, nothing changes', async (check, store) => {
    const item = samples.make(1)
    await done(store.items.add({ item, linksToImages: [] }))
    const refused = store.items.change(item.id, (current) => {
      check.same(current, item)
      return E.left({ _tag: 'Refused' as const })
    })
    check.same(await failure(refused), 'Refused')
    check.same(await done(store.items.find(item.id)), O.some(item))
    check.same(
      await failure(store.items.change(sampleId(2), (current) => E.right(withoutImages(current)))),
      'ItemNotFound',
    )
  })

  given('concurrent changes run one after another, and none is lost', async (check, store) => {
    const item = samples.make(1)
    await done(store.items.add({ item, linksToImages: [] }))
    const bump = () =>
      done(
        store.items.change(item.id, (now) => E.right(withoutImages({ ...now, revision: now.revision + 1 }))),
      )
    await Promise.all(Array.from({ length: 50 }, bump))
    const after = await done(store.items.find(item.id))
    check.same(O.isSome(after) && after.value.revision, 51)
  })

  given('D5: an image is known while an item displays it or links to it', async (check, store) => {
    const [first, second] = [samples.make(1), samples.make(2)]
    const image = sampleImage(1)
    const known = async () => (await done(store.knownImages.among([image.name]))).has(image.name)
    for (const item of [first, second]) await done(store.items.add({ item, linksToImages: [] }))
    check.same(await known(), false)
    const shown = await done(
      store.items.change(first.id, (item) =>
        E.right({
          ...withoutImages(samples.showing(item, image.name)),
          storesImages: [image],
          displaysImages: [image.name],
        }),
      ),
    )
    check.same(shown.orphans, [])
    check.same(await done(store.items.find(first.id)), O.some(shown.item), 'the image is read back')
    await done(
      store.items.change(second.id, (item) =>
        E.right({ ...withoutImages(item), linksToImages: [image.name] }),
      ),
    )
    const dropped = await done(store.items.change(first.id, () => E.right(withoutImages(first))))
    check.same(dropped.orphans, [], 'the other item still references it')
    check.same(await known(), true)
    const last = await done(store.items.change(second.id, () => E.right(withoutImages(second))))
    check.same(last.orphans, [image.name])
    check.same(await known(), false)
  })

  given(
    'D5: a new item’s link references a stored image; links to unknown images are ignored',
    async (check, store) => {
      const [first, second] = [samples.make(1), samples.make(2)]
      const image = sampleImage(2)
      await done(store.items.add({ item: first, linksToImages: [] }))
      await done(
        store.items.change(first.id, (item) =>
          E.right({
            ...withoutImages(samples.showing(item, image.name)),
            storesImages: [image],
            displaysImages: [image.name],
          }),
        ),
      )
      await done(store.items.add({ item: second, linksToImages: [image.name, sampleImage(3).name] }))
      const dropped = await done(store.items.change(first.id, () => E.right(withoutImages(first))))
      check.same(dropped.orphans, [])
    },
  )

  given('an item cannot display a missing image', async (check, store) => {
    const item = samples.make(1)
    await done(store.items.add({ item, linksToImages: [] }))
    const gone = sampleImage(9).name
    const write = store.items.change(item.id, (current) =>
      E.right({ ...withoutImages(samples.showing(current, gone)), displaysImages: [gone] }),
    )
    check.same(await write(), E.left({ _tag: 'ImageMissing', name: gone }))
    check.same(await done(store.items.find(item.id)), O.some(item))
  })
}
