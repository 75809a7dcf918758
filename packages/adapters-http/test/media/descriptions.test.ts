import type { ContentType, FieldChange } from '@almoner/domain/history'
import t from 'tap'
import type { Fixture, Who } from '../support/fixture.ts'
import {
  create,
  createLive,
  itemIn,
  itemsIn,
  onEachStore,
  onServer,
  PHOTO,
  update,
} from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'
import { imagePath, JPEG, PNG, upload } from '../support/uploads.ts'

// D9: descriptions of images, and include=images.

/** The members that `include=images` adds to the items of a list. */
const imagesIn = async (fixture: Fixture, contentType: ContentType, as: Who = 'manager') => {
  const items = await itemsIn(
    await fixture.call('GET', `/${contentType}/`, { as, query: { include: 'images' } }),
  )
  return items.map((item) => (item as unknown as { readonly images: Record<string, never> }).images)
}

const found = async (fixture: Fixture, contentType: ContentType, q: string): Promise<number> =>
  (await itemsIn(await fixture.call('GET', `/${contentType}/`, { as: 'manager', query: { q } }))).length

const ELSEWHERE = 'https://example.org/cover.png'

onEachStore(
  t,
  'D9: a replaced image keeps its description, a removed one loses it, an empty one clears it',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library', {
      coverImgAlt: 'A zebra',
      notificationImgAlt: 'A tap',
    })
    await upload(fixture, imagePath('library', itemId), { bytes: JPEG })
    const [first] = await imagesIn(fixture, 'library')
    t.match(first, { cover: { alt: 'A zebra', width: 90, height: 60 }, notification: null })
    await upload(fixture, imagePath('library', itemId), { bytes: PNG })
    await upload(fixture, imagePath('library', itemId, 'notification'), { bytes: PNG })
    const [second] = await imagesIn(fixture, 'library')
    t.match(second, {
      cover: { alt: 'A zebra', width: 400, height: 560 },
      notification: { alt: 'A tap', width: 400, height: 560 },
    })
    await update(fixture, 'library', itemId, { coverImgUrl: ELSEWHERE, notificationImgAlt: '' })
    const [third] = await imagesIn(fixture, 'library')
    t.match(third, {
      cover: { url: ELSEWHERE, alt: 'A zebra', width: null, height: null, renditions: [] },
      notification: { alt: '', width: 400 },
    })
    t.equal(await found(fixture, 'library', 'zeb'), 1, 'J2')
    t.equal(await found(fixture, 'library', 'tap'), 0, 'J2')
    await update(fixture, 'library', itemId, { coverImgUrl: '', notificationImgAlt: 'A tap' })
    t.equal(await found(fixture, 'library', 'zeb'), 0, 'the address was removed')
    t.equal(await found(fixture, 'library', 'tap'), 1)
    await fixture.call('DELETE', imagePath('library', itemId, 'notification'), { as: 'manager' })
    t.equal(await found(fixture, 'library', 'tap'), 0, 'the upload was removed')
  },
)

onEachStore(t, 'D9, K2: descriptions are in the history, and restored', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed', { imgAlt: 'A pump' })
  await upload(fixture, imagePath('feed', itemId))
  await update(fixture, 'feed', itemId, { imgAlt: 'Two pumps' })
  await fixture.call('DELETE', imagePath('feed', itemId), { as: 'manager' })
  const response = await fixture.call('GET', `/feed/${itemId}/history`, { as: 'manager' })
  const { history } = (await response.json()) as {
    readonly history: ReadonlyArray<{ readonly revision: { readonly changes: ReadonlyArray<FieldChange> } }>
  }
  const changes = history.map(({ revision }) => revision.changes.find(({ field }) => field === 'imgAlt'))
  t.match(changes, [
    { before: 'Two pumps', after: '' },
    { before: 'A pump', after: 'Two pumps' },
    undefined,
    { before: null, after: 'A pump' },
  ])
  t.equal(await found(fixture, 'feed', 'pumps'), 0)
  const restored = await fixture.call('POST', `/feed/${itemId}/history/1/restore`, { as: 'manager' })
  t.equal(restored.status, 200)
  t.notOk('imgAlt' in (await itemIn(restored)), 'responses stay as they were')
  t.equal(await found(fixture, 'feed', 'pump'), 1)
})

onEachStore(t, 'D9: a photo shows its upload, or else the image that it links to', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed', { ...PHOTO, link: ELSEWHERE, imgAlt: 'A pump' })
  await create(fixture, 'feed', { itemType: 'link', link: 'https://example.org/' })
  t.match(await imagesIn(fixture, 'feed'), [
    { image: null },
    { image: { url: ELSEWHERE, alt: 'A pump', width: null, renditions: [] } },
  ])
  await upload(fixture, imagePath('feed', itemId))
  const [, { image }] = (await imagesIn(fixture, 'feed')) as never as [never, { image: { url: string } }]
  t.match(image, { alt: 'A pump', width: 400, height: 560 })
  await create(fixture, 'feed', { ...PHOTO, link: image.url })
  const [copy] = await imagesIn(fixture, 'feed')
  t.match(copy, { image: { url: image.url, alt: '', width: 400 } }, 'an address of ours has a size')
})

onServer(
  t,
  'D9: authors describe the images of photos only, managers those of all posts',
  async (t, fixture) => {
    const send = (as: Who, more: object) =>
      fixture.call('POST', '/feed/', { as, json: { ...FEED_ITEM, ...more } })
    const link = { itemType: 'link', link: 'https://example.org/' }
    t.equal((await send('donor', { ...PHOTO, imgAlt: 'A pump' })).status, 200)
    t.equal((await send('donor', { ...link, imgAlt: '' })).status, 200)
    t.equal((await send('manager', { ...link, imgAlt: 'A pump' })).status, 200)
    await seeProblem(t, await send('donor', { ...link, imgAlt: 'A pump' }), 'insufficient_scope')
  },
)

onServer(t, 'D9, B6: a description has at most 300 code points', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  const long = { coverImgAlt: '😀'.repeat(301), notificationImgAlt: 'a\u0000' }
  const refused = await update(fixture, 'library', itemId, long)
  t.strictSame(fieldsOf(await seeProblem(t, refused, 'invalid_request')).toSorted(), [
    'coverImgAlt',
    'notificationImgAlt',
  ])
  const kept = await update(fixture, 'library', itemId, { coverImgAlt: '😀'.repeat(300) })
  t.equal(kept.status, 200)
  const one = await fixture.call('GET', `/library/${itemId}`, { as: 'user', query: { include: 'images' } })
  t.notOk('images' in ((await itemsIn(one))[0] ?? {}), 'J1: by path it is ignored')
})

const reads: Array<number> = []

onServer(
  t,
  'D9, J4: the sizes of a page cost one more read',
  async (t, fixture) => {
    for (let n = 0; n < 3; n += 1) {
      const { itemId } = await create(fixture, 'library')
      await upload(fixture, imagePath('library', itemId))
      await upload(fixture, imagePath('library', itemId, 'notification'))
    }
    t.equal((await imagesIn(fixture, 'library')).length, 3)
    t.strictSame(reads, [6])
  },
  {
    wrap: (ports) => ({
      ...ports,
      knownImages: {
        ...ports.knownImages,
        sizesOf: (names) => {
          reads.push(names.length)
          return ports.knownImages.sizesOf(names)
        },
      },
    }),
  },
)

onEachStore(t, 'D9: an image without a known size has none in responses', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  await upload(fixture, imagePath('library', itemId))
  const [{ cover }] = (await imagesIn(fixture, 'library')) as never as [{ cover: { url: string } }]
  const name = cover.url.slice(cover.url.lastIndexOf('/') + 1)
  await fixture.ports.knownImages.recordSize(name as never, { _tag: 'None' })()
  const [after] = await imagesIn(fixture, 'library')
  t.match(after, { cover: { url: cover.url, width: null, height: null, renditions: [] } })
})
