import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { BASE_URL, type Fixture, startFixture } from '../support/fixture.ts'
import { create, createLive, IMAGES, look, onEachStore, PHOTO, update } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { filesIn, imagePath, JPEG, nameIn, served, upload } from '../support/uploads.ts'

// D3: the effects and responses of uploads and removals, and the URLs of images.

const remove = (fixture: Fixture, path: string) => fixture.call('DELETE', path, { as: 'manager' })

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
  'D3: an upload to the library returns an empty body and sets coverImgUrl or notificationImgUrl',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    t.strictSame(await isEmpty(await upload(fixture, imagePath('library', itemId, 'notification'))), EMPTY)
    const { item } = await look(fixture, 'library', itemId)
    t.match(
      item,
      { coverImgUrl: '', itemRelatedLink: '', notificationImgUrl: /\.png$/ },
      'without a cover there is no related link',
    )
    t.strictSame(
      await isEmpty(await upload(fixture, imagePath('library', itemId, 'cover'), { bytes: JPEG })),
      EMPTY,
    )
    const both = (await look(fixture, 'library', itemId)).item
    t.match(both.coverImgUrl, /\.jpg$/)
    t.equal(both.itemRelatedLink, both.coverImgUrl, 'the related link is the cover')
    t.equal(both.notificationImgUrl, item.notificationImgUrl)
  },
)

onEachStore(
  t,
  'D3: an upload to the feed returns itemRelatedLink as a JSON string, and sets it',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'feed', PHOTO)
    const answer = await upload(fixture, imagePath('feed', itemId))
    const [status, type, link] = await jsonOf(answer)
    t.strictSame([status, type], [200, 'application/json; charset=utf-8'])
    const { item } = await look(fixture, 'feed', itemId)
    t.equal(link, item.itemRelatedLink)
    t.match(item.itemRelatedLink, new RegExp(`^${BASE_URL}/static/media/[^/]+\\.png$`))
    t.equal(item.link, 'https://example.org/fifth', 'the link is unchanged')
  },
)

onEachStore(
  t,
  'D3: removing a library image returns the new itemRelatedLink as a JSON string',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    const cover = imagePath('library', itemId, 'cover')
    const notification = imagePath('library', itemId, 'notification')
    await upload(fixture, cover)
    await upload(fixture, notification)
    const { item } = await look(fixture, 'library', itemId)
    t.strictSame(
      await jsonOf(await remove(fixture, notification)),
      jsonString(item.coverImgUrl),
      'the cover is still there',
    )
    t.strictSame(await jsonOf(await remove(fixture, cover)), jsonString(''), '"" without images')
    t.match((await look(fixture, 'library', itemId)).item, {
      coverImgUrl: '',
      notificationImgUrl: '',
      itemRelatedLink: '',
    })
    await upload(fixture, notification)
    t.strictSame(await jsonOf(await remove(fixture, notification)), jsonString(''))
  },
)

onEachStore(
  t,
  'D3: an image on another site can be removed and replaced like any other',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'library')
    await update(fixture, 'library', itemId, { status: 'Draft' })
    const [cover, notification] = [imagePath('library', itemId), imagePath('library', itemId, 'notification')]
    t.strictSame(await jsonOf(await remove(fixture, notification)), jsonString(IMAGES.coverImgUrl))
    t.equal((await upload(fixture, cover)).status, 200)
    t.match((await look(fixture, 'library', itemId)).item.coverImgUrl, /\/static\/media\//)
    await update(fixture, 'library', itemId, { coverImgUrl: IMAGES.coverImgUrl })
    t.strictSame(await jsonOf(await remove(fixture, cover)), jsonString(''))
    t.strictSame(filesIn(fixture), [])
  },
)

onEachStore(t, 'D3: removing a feed image returns an empty body', async (t, fixture) => {
  for (const slash of ['', '/']) {
    const { itemId } = await create(fixture, 'feed', PHOTO)
    await upload(fixture, imagePath('feed', itemId))
    t.strictSame(await isEmpty(await remove(fixture, `${imagePath('feed', itemId)}${slash}`)), EMPTY)
    t.equal((await look(fixture, 'feed', itemId)).item.itemRelatedLink, '')
  }
})

onEachStore(t, 'D3: removing a missing image is 404', async (t, fixture) => {
  const library = await create(fixture, 'library')
  const feed = await create(fixture, 'feed')
  const live = await createLive(fixture, 'feed')
  const paths = [
    imagePath('library', library.itemId, 'cover'),
    imagePath('library', library.itemId, 'notification'),
    imagePath('library', 'unknown'),
    imagePath('feed', feed.itemId),
    imagePath('feed', live.itemId),
    imagePath('feed', 'unknown'),
  ]
  for (const path of paths) await seeProblem(t, await remove(fixture, path), 'not_found', path)
  await upload(fixture, imagePath('library', library.itemId, 'cover'))
  await seeProblem(
    t,
    await remove(fixture, imagePath('library', library.itemId, 'notification')),
    'not_found',
    'the other one',
  )
  t.equal((await remove(fixture, imagePath('library', library.itemId, 'cover'))).status, 200)
  await seeProblem(
    t,
    await remove(fixture, imagePath('library', library.itemId, 'cover')),
    'not_found',
    'twice',
  )
})

onEachStore(t, 'D3: the URL of one item’s image can be used for another item', async (t, fixture) => {
  const one = await create(fixture, 'library')
  await upload(fixture, imagePath('library', one.itemId))
  const { coverImgUrl } = (await look(fixture, 'library', one.itemId)).item
  const other = await createLive(fixture, 'library', { coverImgUrl, notificationImgUrl: coverImgUrl })
  t.match(other, { coverImgUrl, notificationImgUrl: coverImgUrl, itemRelatedLink: coverImgUrl })
  t.equal(filesIn(fixture).length, 1)
})

const MOVED = 'https://cdn.example.net/almoner'

t.test('D3: URLs of images follow ALMONER_BASE_URL after a restart; external ones stay', async (t) => {
  const folder = t.testdir()
  const first = await startFixture(folder)
  const post = await create(first, 'feed', PHOTO)
  await upload(first, imagePath('feed', post.itemId))
  const uploaded = await create(first, 'library')
  await upload(first, imagePath('library', uploaded.itemId, 'cover'))
  await upload(first, imagePath('library', uploaded.itemId, 'notification'))
  const { coverImgUrl } = (await look(first, 'library', uploaded.itemId)).item
  const given = await createLive(first, 'library', { coverImgUrl })
  const before = await look(first, 'library', uploaded.itemId)
  await first.stop()

  const second = await startFixture(folder, { after: first, baseUrl: MOVED })
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
    'the file is unchanged',
  )
  const { headers } = await second.call('GET', '/library/?lim=1', { as: 'manager' })
  t.match(headers.get('link'), `<${MOVED}/library/?`, 'C11: Link too')
})

t.test('D3: only the path of an image is stored', async (t) => {
  const folder = t.testdir()
  const fixture = await startFixture(folder, { baseUrl: 'https://almoner-is-here.example.org' })
  const { itemId } = await create(fixture, 'library')
  await upload(fixture, imagePath('library', itemId, 'cover'))
  const { coverImgUrl } = (await look(fixture, 'library', itemId)).item
  t.match(coverImgUrl, 'almoner-is-here')
  await update(fixture, 'library', itemId, { notificationImgUrl: coverImgUrl })
  const post = await create(fixture, 'feed', PHOTO)
  await upload(fixture, imagePath('feed', post.itemId))
  await fixture.stop()
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('almoner.db')))
    t.notOk(readFileSync(join(folder, name)).includes('almoner-is-here'), name)
})
