import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { create, createLive, IMAGES, look, onEachStore, PHOTO, update } from './support/items.ts'
import { seeProblem } from './support/problems.ts'
import { BASE_URL, type Rig, startRig } from './support/rig.ts'
import { filesIn, imagePath, JPEG, nameIn, served, upload } from './support/uploads.ts'

// D3: what uploads set, what uploads and removals answer, and where images are found.

const remove = (rig: Rig, path: string) => rig.call('DELETE', path, { as: 'manager' })

const isEmpty = async (answer: Response): Promise<ReadonlyArray<unknown>> => [
  answer.status,
  answer.headers.get('content-length'),
  await answer.text(),
]
const EMPTY = [200, '0', '']

const jsonOf = async (answer: Response): Promise<ReadonlyArray<unknown>> => [
  answer.status,
  answer.headers.get('content-type'),
  JSON.parse(await answer.text()),
]
const jsonString = (text: string) => [200, 'application/json; charset=utf-8', text]

onEachStore(
  t,
  'D3: uploading to the library answers an empty body and sets coverImgUrl or notificationImgUrl',
  async (t, rig) => {
    const { itemId } = await create(rig, 'library')
    t.strictSame(await isEmpty(await upload(rig, imagePath('library', itemId, 'notification'))), EMPTY)
    const { item } = await look(rig, 'library', itemId)
    t.match(
      item,
      { coverImgUrl: '', itemRelatedLink: '', notificationImgUrl: /\.png$/ },
      'no cover, so nothing stands for it',
    )
    t.strictSame(
      await isEmpty(await upload(rig, imagePath('library', itemId, 'cover'), { bytes: JPEG })),
      EMPTY,
    )
    const both = (await look(rig, 'library', itemId)).item
    t.match(both.coverImgUrl, /\.jpg$/)
    t.equal(both.itemRelatedLink, both.coverImgUrl, 'the cover stands for the item')
    t.equal(both.notificationImgUrl, item.notificationImgUrl)
  },
)

onEachStore(
  t,
  'D3: uploading to the feed answers itemRelatedLink as a JSON string, and sets it',
  async (t, rig) => {
    const { itemId } = await create(rig, 'feed', PHOTO)
    const answer = await upload(rig, imagePath('feed', itemId))
    const [status, type, link] = await jsonOf(answer)
    t.strictSame([status, type], [200, 'application/json; charset=utf-8'])
    const { item } = await look(rig, 'feed', itemId)
    t.equal(link, item.itemRelatedLink)
    t.match(item.itemRelatedLink, new RegExp(`^${BASE_URL}/static/media/[^/]+\\.png$`))
    t.equal(item.link, 'https://example.org/fifth', 'the link stays what was sent')
  },
)

onEachStore(
  t,
  'D3: removing from the library answers what itemRelatedLink now is, as a JSON string',
  async (t, rig) => {
    const { itemId } = await create(rig, 'library')
    const cover = imagePath('library', itemId, 'cover')
    const notification = imagePath('library', itemId, 'notification')
    await upload(rig, cover)
    await upload(rig, notification)
    const { item } = await look(rig, 'library', itemId)
    t.strictSame(
      await jsonOf(await remove(rig, notification)),
      jsonString(item.coverImgUrl),
      'the cover is still there',
    )
    t.strictSame(await jsonOf(await remove(rig, cover)), jsonString(''), '"" when nothing')
    t.match((await look(rig, 'library', itemId)).item, {
      coverImgUrl: '',
      notificationImgUrl: '',
      itemRelatedLink: '',
    })
    await upload(rig, notification)
    t.strictSame(await jsonOf(await remove(rig, notification)), jsonString(''))
  },
)

onEachStore(t, 'D3: an image that lives elsewhere is removed and replaced like any other', async (t, rig) => {
  const { itemId } = await createLive(rig, 'library')
  await update(rig, 'library', itemId, { status: 'Draft' })
  const [cover, notification] = [imagePath('library', itemId), imagePath('library', itemId, 'notification')]
  t.strictSame(await jsonOf(await remove(rig, notification)), jsonString(IMAGES.coverImgUrl))
  t.equal((await upload(rig, cover)).status, 200)
  t.match((await look(rig, 'library', itemId)).item.coverImgUrl, /\/static\/media\//)
  await update(rig, 'library', itemId, { coverImgUrl: IMAGES.coverImgUrl })
  t.strictSame(await jsonOf(await remove(rig, cover)), jsonString(''))
  t.strictSame(filesIn(rig), [])
})

onEachStore(t, 'D3: removing from the feed answers an empty body', async (t, rig) => {
  for (const slash of ['', '/']) {
    const { itemId } = await create(rig, 'feed', PHOTO)
    await upload(rig, imagePath('feed', itemId))
    t.strictSame(await isEmpty(await remove(rig, `${imagePath('feed', itemId)}${slash}`)), EMPTY)
    t.equal((await look(rig, 'feed', itemId)).item.itemRelatedLink, '')
  }
})

onEachStore(t, 'D3: removing an image that is not there is 404', async (t, rig) => {
  const library = await create(rig, 'library')
  const feed = await create(rig, 'feed')
  const live = await createLive(rig, 'feed')
  const paths = [
    imagePath('library', library.itemId, 'cover'),
    imagePath('library', library.itemId, 'notification'),
    imagePath('library', 'unknown'),
    imagePath('feed', feed.itemId),
    imagePath('feed', live.itemId),
    imagePath('feed', 'unknown'),
  ]
  for (const path of paths) await seeProblem(t, await remove(rig, path), 'not_found', path)
  await upload(rig, imagePath('library', library.itemId, 'cover'))
  await seeProblem(
    t,
    await remove(rig, imagePath('library', library.itemId, 'notification')),
    'not_found',
    'the other one',
  )
  t.equal((await remove(rig, imagePath('library', library.itemId, 'cover'))).status, 200)
  await seeProblem(t, await remove(rig, imagePath('library', library.itemId, 'cover')), 'not_found', 'twice')
})

onEachStore(t, 'D3: the image of one item may be given to another by its address', async (t, rig) => {
  const one = await create(rig, 'library')
  await upload(rig, imagePath('library', one.itemId))
  const { coverImgUrl } = (await look(rig, 'library', one.itemId)).item
  const other = await createLive(rig, 'library', { coverImgUrl, notificationImgUrl: coverImgUrl })
  t.match(other, { coverImgUrl, notificationImgUrl: coverImgUrl, itemRelatedLink: coverImgUrl })
  t.equal(filesIn(rig).length, 1)
})

const MOVED = 'https://cdn.example.net/almoner'

t.test(
  'D3: addresses follow ALMONER_BASE_URL from one start to the next; those of others stay',
  async (t) => {
    const folder = t.testdir()
    const first = await startRig(folder)
    const post = await create(first, 'feed', PHOTO)
    await upload(first, imagePath('feed', post.itemId))
    const uploaded = await create(first, 'library')
    await upload(first, imagePath('library', uploaded.itemId, 'cover'))
    await upload(first, imagePath('library', uploaded.itemId, 'notification'))
    const { coverImgUrl } = (await look(first, 'library', uploaded.itemId)).item
    const given = await createLive(first, 'library', { coverImgUrl })
    const before = await look(first, 'library', uploaded.itemId)
    await first.stop()

    const second = await startRig(folder, { after: first, baseUrl: MOVED })
    t.teardown(second.stop)
    const moved = (url: string) => `${MOVED}/static/media/${nameIn(url)}`
    const { item } = await look(second, 'library', uploaded.itemId)
    t.equal(item.coverImgUrl, moved(before.item.coverImgUrl))
    t.equal(item.itemRelatedLink, item.coverImgUrl)
    t.equal(item.notificationImgUrl, moved(before.item.notificationImgUrl))
    t.match((await look(second, 'library', given.itemId)).item, {
      coverImgUrl: moved(coverImgUrl),
      notificationImgUrl: IMAGES.notificationImgUrl,
      link: given.link,
    })
    t.match(
      (await look(second, 'feed', post.itemId)).item.itemRelatedLink,
      /^https:\/\/cdn\.example\.net\/almoner\/static/,
    )
    t.equal(
      (await served(second, `${second.url}/static/media/${nameIn(coverImgUrl)}`)).status,
      200,
      'the file is where it was',
    )
    const { headers } = await second.call('GET', '/library/?lim=1', { as: 'manager' })
    t.match(headers.get('link'), `<${MOVED}/library/?`, 'C11: Link too')
  },
)

t.test('D3: only the path of an image is stored', async (t) => {
  const folder = t.testdir()
  const rig = await startRig(folder, { baseUrl: 'https://almoner-is-here.example.org' })
  const { itemId } = await create(rig, 'library')
  await upload(rig, imagePath('library', itemId, 'cover'))
  const { coverImgUrl } = (await look(rig, 'library', itemId)).item
  t.match(coverImgUrl, 'almoner-is-here')
  await update(rig, 'library', itemId, { notificationImgUrl: coverImgUrl })
  const post = await create(rig, 'feed', PHOTO)
  await upload(rig, imagePath('feed', post.itemId))
  await rig.stop()
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('almoner.db')))
    t.notOk(readFileSync(join(folder, name)).includes('almoner-is-here'), name)
})
