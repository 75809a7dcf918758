import type { LibraryItem } from '@almoner/domain'
import { commandActor } from '@almoner/domain/access'
import { setFeedImage, setLibraryImage } from '@almoner/domain/content'
import { stored } from '@almoner/domain/media'
import { addMillis } from '@almoner/domain/values'
import {
  done,
  MANAGER_NOW,
  proposalWrite,
  sampleCopy,
  sampleFeedItem,
  sampleImage,
  sampleLibraryItem,
  sampleManager,
  sampleMoment,
  sampleProposal,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { storeOf } from './store-of.ts'
import { batchesFrom, contentOf, importInto, made } from './transfer/transfer.ts'

const [one, two] = [sampleImage(1), sampleImage(2)]
const item = sampleLibraryItem(1)
const nothing = { storesImages: [], displaysImages: [], linksToImages: [] }

t.test('ImageGone rolls the whole write back, including images stored with it', async (t) => {
  const { libraryItems, knownImages, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await done(libraryItems.add({ item, linksToImages: [] }))
  const write = libraryItems.change(item.id, (current) =>
    E.right({
      item: { ...current, revision: 2 },
      storesImages: [one],
      displaysImages: [one.name, two.name],
      linksToImages: [],
    }),
  )
  t.strictSame(await write(), E.left({ _tag: 'ImageMissing', name: two.name }))
  t.strictSame(await done(knownImages.among([one.name, two.name])), new Set())
  t.match(await done(libraryItems.find(item.id)), { value: { revision: 1 } })
  await close()
})

t.test('D5: replacing an image orphans the old one; both content types count', async (t) => {
  const { libraryItems, feedItems, knownImages, close } = await storeOf(`${t.testdir()}/almoner.db`)
  const post = sampleFeedItem(1)
  await done(libraryItems.add({ item, linksToImages: [] }))
  await done(feedItems.add({ item: post, linksToImages: [] }))
  const show = (image: typeof one, storesImages: ReadonlyArray<typeof one>) => (current: LibraryItem) =>
    E.right({
      ...nothing,
      item: setLibraryImage(current, 'cover', stored(image.name), current.updatedAt),
      storesImages,
      displaysImages: [image.name],
    })
  await done(libraryItems.change(item.id, show(one, [one])))
  await done(
    feedItems.change(post.id, (current) =>
      E.right({
        ...nothing,
        item: setFeedImage(current, one.name, current.updatedAt),
        displaysImages: [one.name],
      }),
    ),
  )
  const replaced = await done(libraryItems.change(item.id, show(two, [two])))
  t.strictSame(replaced.orphans, [], 'the post with the same identifier still displays it')
  const removed = await done(feedItems.change(post.id, () => E.right({ ...nothing, item: post })))
  t.strictSame(removed.orphans, [one.name])
  t.strictSame(await done(knownImages.among([one.name, two.name])), new Set([two.name]))
  await close()
})

t.test('an image that an item displays and links to twice is referenced once', async (t) => {
  const { libraryItems, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await done(libraryItems.add({ item, linksToImages: [] }))
  const names = [one.name, one.name]
  const write = { item, storesImages: [one], displaysImages: names, linksToImages: names }
  t.strictSame((await done(libraryItems.change<never>(item.id, () => E.right(write)))).orphans, [])
  const dropped = await done(libraryItems.change<never>(item.id, () => E.right({ ...nothing, item })))
  t.strictSame(dropped.orphans, [one.name])
  await close()
})

t.test('D5, M7: images that only working copies hold are imported with them', async (t) => {
  const folder = t.testdir()
  const [old, fresh] = [await storeOf(`${folder}/old.db`), await storeOf(`${folder}/new.db`)]
  const ada = sampleManager('ada')
  const { key } = sampleCopy(1, ada)
  await done(old.managers.add(ada))
  await done(old.workingCopies.addImage(ada.email, key, one, MANAGER_NOW))
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await done(fresh.knownImages.among([one.name])), new Set([one.name]))
  await done(fresh.workingCopies.remove(ada.email, key, MANAGER_NOW))
  t.strictSame(
    await done(fresh.knownImages.forgetReleased(addMillis(MANAGER_NOW, 1), addMillis(MANAGER_NOW, 1))),
    [one.name],
  )
  await Promise.all([old.close(), fresh.close()])
})

t.test('C16: proposals are imported with their images and moments', async (t) => {
  const folder = t.testdir()
  const [old, fresh] = [await storeOf(`${folder}/old.db`), await storeOf(`${folder}/fresh.db`)]
  for (const n of [1, 2]) await done(old.libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
  const [first, other] = [1, 2].map((n) =>
    sampleProposal('library', n, { publishAt: O.some(sampleMoment(n)) }),
  )
  if (first === undefined || other === undefined) throw new Error('two samples')
  const images = { ...nothing, storesImages: [one], displaysImages: [one.name] }
  const written = await done(old.proposals.put(proposalWrite(first, images)))
  await done(old.proposals.put(proposalWrite(other)))
  const act = { actor: commandActor('test'), action: 'discard-proposal', at: sampleMoment(5) } as const
  await done(old.proposals.discard(other, act))
  const { library_item: items = [], proposal: rows = [] } = await contentOf(old.database)
  const refused = await importInto(fresh.database, () => made(['library_item', items], ['proposal', rows]))()
  t.match(refused, { left: { errors: [{ line: 1, message: 'images must be of a row of media' }] } })
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  t.strictSame(await done(fresh.proposals.all(5)), [written])
  t.strictSame(await done(fresh.proposals.purge(sampleMoment(5), sampleMoment(5))), {
    proposals: 1,
    orphans: [],
  })
  await done(fresh.proposals.discard(first, act))
  t.strictSame(await done(fresh.proposals.purge(sampleMoment(5), sampleMoment(5))), {
    proposals: 1,
    orphans: [one.name],
  })
  await Promise.all([old.close(), fresh.close()])
})
