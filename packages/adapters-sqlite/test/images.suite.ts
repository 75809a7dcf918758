import { type LibraryItem, showFeedImage, showLibraryImage, stored } from '@almoner/domain'
import { done, sampleFeedItem, sampleImage, sampleLibraryItem } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { storeOf } from './store-of.ts'

const [one, two] = [sampleImage(1), sampleImage(2)]
const item = sampleLibraryItem(1)
const nothing = { adds: [], shows: [], mentions: [] }

t.test('ImageGone undoes the whole write, the images that came with it included', async (t) => {
  const { libraryItems, knownImages, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await done(libraryItems.add({ item, mentions: [] }))
  const write = libraryItems.change(item.id, (current) =>
    E.right({ item: { ...current, revision: 2 }, adds: [one], shows: [one.name, two.name], mentions: [] }),
  )
  t.strictSame(await write(), E.left({ _tag: 'ImageGone', name: two.name }))
  t.strictSame(await done(knownImages.among([one.name, two.name])), new Set())
  t.match(await done(libraryItems.find(item.id)), { value: { revision: 1 } })
  await close()
})

t.test('D5: replacing an image orphans the old one; both content types count', async (t) => {
  const { libraryItems, feedItems, knownImages, close } = await storeOf(`${t.testdir()}/almoner.db`)
  const post = sampleFeedItem(1)
  await done(libraryItems.add({ item, mentions: [] }))
  await done(feedItems.add({ item: post, mentions: [] }))
  const show = (image: typeof one, adds: ReadonlyArray<typeof one>) => (current: LibraryItem) =>
    E.right({
      ...nothing,
      item: showLibraryImage(current, 'cover', stored(image.name), current.updatedAt),
      adds,
      shows: [image.name],
    })
  await done(libraryItems.change(item.id, show(one, [one])))
  await done(
    feedItems.change(post.id, (current) =>
      E.right({
        ...nothing,
        item: showFeedImage(current, one.name, current.updatedAt),
        shows: [one.name],
      }),
    ),
  )
  const replaced = await done(libraryItems.change(item.id, show(two, [two])))
  t.strictSame(replaced.orphans, [], 'the post of the same identifier still shows it')
  const removed = await done(feedItems.change(post.id, () => E.right({ ...nothing, item: post })))
  t.strictSame(removed.orphans, [one.name])
  t.strictSame(await done(knownImages.among([one.name, two.name])), new Set([two.name]))
  await close()
})

t.test('an image shown and mentioned, twice, is held once', async (t) => {
  const { libraryItems, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await done(libraryItems.add({ item, mentions: [] }))
  const names = [one.name, one.name]
  const write = { item, adds: [one], shows: names, mentions: names }
  t.strictSame((await done(libraryItems.change<never>(item.id, () => E.right(write)))).orphans, [])
  const dropped = await done(libraryItems.change<never>(item.id, () => E.right({ ...nothing, item })))
  t.strictSame(dropped.orphans, [one.name])
  await close()
})
