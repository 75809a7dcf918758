import type { Ports } from '@almoner/domain'
import type { MediaName } from '@almoner/domain/media'
import { makeAdoptStorage, makeSweepImages } from '@almoner/domain/operations'
import { unavailable } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { done, type Fixture, startFixture } from '../support/fixture.ts'
import {
  create,
  createLive,
  type Fields,
  look,
  onEachStore,
  onServer,
  PHOTO,
  update,
} from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { filesIn, imagePath, JPEG, nameIn, PNG, served, upload } from '../support/uploads.ts'

// D5: a file is deleted once no item points to it, and never before.

const MINUTE = 60_000
const tokenTtl = 10 * 86_400
const ELSEWHERE = 'https://example.org/elsewhere.png'

const remove = (fixture: Fixture, path: string) => fixture.call('DELETE', path, { as: 'manager' })

/** A library Draft with an uploaded cover, and the cover's URL. */
const covered = async (fixture: Fixture): Promise<{ itemId: string; url: string }> => {
  const { itemId } = await create(fixture, 'library')
  await upload(fixture, imagePath('library', itemId))
  return { itemId, url: (await look(fixture, 'library', itemId)).item.coverImgUrl }
}

const isServed = async (fixture: Fixture, url: string): Promise<boolean> =>
  (await served(fixture, url)).status === 200

/** Asserts that no item displays a missing image of this service. */
const noBrokenLink = async (t: Test, fixture: Fixture) => {
  for (const contentType of ['library', 'feed'] as const) {
    const text = await (await fixture.call('GET', `/${contentType}/`, { as: 'manager' })).text()
    for (const [url] of text.matchAll(/https:\/\/almoner\.example\.org\/static\/media\/[^"]+/g))
      t.ok(await isServed(fixture, url), `${url} exists`)
  }
}

onEachStore(t, 'D5: a replaced file is deleted', async (t, fixture) => {
  for (const contentType of ['library', 'feed'] as const) {
    const { itemId } = await create(fixture, contentType)
    const urls = []
    for (const bytes of [PNG, PNG, contentType === 'library' ? JPEG : PNG]) {
      t.equal((await upload(fixture, imagePath(contentType, itemId), { bytes })).status, 200)
      urls.push((await look(fixture, contentType, itemId)).item.itemRelatedLink)
    }
    t.strictSame(await Promise.all(urls.map((url) => isServed(fixture, url))), [false, false, true])
    t.equal((await remove(fixture, imagePath(contentType, itemId))).status, 200)
    t.strictSame(filesIn(fixture), [], 'and a removed one')
  }
})

const POINTS_ELSEWHERE: Readonly<Record<string, Fields>> = {
  'another address': { coverImgUrl: ELSEWHERE },
  'another address, Live': { coverImgUrl: ELSEWHERE, notificationImgUrl: ELSEWHERE, status: 'Live' },
  nothing: { coverImgUrl: '' },
  'nothing, Archived': { coverImgUrl: '', status: 'Archived' },
}

for (const [what, over] of Object.entries(POINTS_ELSEWHERE))
  onEachStore(t, `D5: an update that points to ${what} deletes the file`, async (t, fixture) => {
    const { itemId, url } = await covered(fixture)
    t.equal((await update(fixture, 'library', itemId)).status, 200)
    t.ok(await isServed(fixture, url), 'an update that omits it keeps it')
    t.equal((await update(fixture, 'library', itemId, over)).status, 200)
    t.strictSame(filesIn(fixture), [])
    t.equal((await served(fixture, url)).status, 404)
  })

/** Ways in which another item references a URL and stops doing so. */
const USES = {
  'as its cover': ['library', { coverImgUrl: true }, { coverImgUrl: ELSEWHERE }],
  'as its notification image': ['library', { notificationImgUrl: true }, { notificationImgUrl: '' }],
  'as the link of a library item': ['library', { link: true }, { link: ELSEWHERE }],
  'as the link to a photo': [
    'feed',
    { itemType: 'photo', link: true },
    { itemType: 'photo', link: ELSEWHERE },
  ],
  'as the link of a post': ['feed', { itemType: 'link', link: true }, { itemType: 'link', link: ELSEWHERE }],
  'as the vlink of a post': [
    'feed',
    { itemType: 'vlink', vlink: true },
    { itemType: 'vlink', vlink: ELSEWHERE },
  ],
} as const

for (const [how, [contentType, use, letGo]] of Object.entries(USES))
  onEachStore(t, `D5: another item that uses the URL ${how} keeps the file`, async (t, fixture) => {
    const { itemId, url } = await covered(fixture)
    const sent = Object.fromEntries(
      Object.entries(use).map(([name, value]) => [name, value === true ? url : value]),
    )
    const other = await create(fixture, contentType, sent)
    t.equal((await update(fixture, contentType, other.itemId, sent)).status, 200)
    t.equal((await remove(fixture, imagePath('library', itemId))).status, 200)
    t.ok(await isServed(fixture, url), 'the item of the upload no longer references it')
    t.equal((await update(fixture, contentType, other.itemId, letGo)).status, 200)
    t.strictSame(filesIn(fixture), [], 'no item references it any more')
  })

onEachStore(
  t,
  'D5: an image that is both cover and notification image is deleted with the second',
  async (t, fixture) => {
    const { itemId, url } = await covered(fixture)
    t.equal((await update(fixture, 'library', itemId, { notificationImgUrl: url })).status, 200)
    t.equal((await remove(fixture, imagePath('library', itemId))).status, 200)
    t.ok(await isServed(fixture, url))
    t.equal((await remove(fixture, imagePath('library', itemId, 'notification'))).status, 200)
    t.strictSame(filesIn(fixture), [])
  },
)

onEachStore(t, 'D5: a rejected update deletes no file', async (t, fixture) => {
  const { itemId, url } = await covered(fixture)
  await seeProblem(
    t,
    await update(fixture, 'library', itemId, { coverImgUrl: ELSEWHERE, status: 'Live' }),
    'invalid_request',
  )
  const stale = { headers: { 'if-match': '"stale"' } }
  await seeProblem(
    t,
    await update(fixture, 'library', itemId, { coverImgUrl: '' }, stale),
    'precondition_failed',
  )
  t.ok(await isServed(fixture, url))
})

onEachStore(
  t,
  'D5: of concurrent uploads one file stays, the one that the item displays',
  async (t, fixture) => {
    for (const contentType of ['library', 'feed'] as const) {
      const { itemId } = await create(fixture, contentType)
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => upload(fixture, imagePath(contentType, itemId))),
      )
      for (const { status } of answers) t.equal(status, 200)
      t.strictSame(filesIn(fixture), [
        nameIn((await look(fixture, contentType, itemId)).item.itemRelatedLink),
      ])
      await remove(fixture, imagePath(contentType, itemId))
    }
  },
)

onEachStore(
  t,
  'D5: removing an image while another item adopts it never leaves a broken link',
  async (t, fixture) => {
    for (let round = 0; round < 12; round++) {
      const { itemId, url } = await covered(fixture)
      const other = await create(fixture, 'library')
      const take = () => update(fixture, 'library', other.itemId, { coverImgUrl: url })
      const go = () => remove(fixture, imagePath('library', itemId))
      const [first, second] = await Promise.all(round % 2 === 0 ? [take(), go()] : [go(), take()])
      const [took, went] = round % 2 === 0 ? [first, second] : [second, first]
      t.equal(went.status, 200)
      t.equal(await isServed(fixture, url), took.status === 200, `round ${round}: ${took.status}`)
      t.ok(took.status === 200 || took.status === 400)
    }
    await noBrokenLink(t, fixture)
  },
)

/** Runs a sweep without safety limits. Returns the number of deleted uploads. */
const sweptUploads = (ports: Ports) =>
  pipe(
    makeAdoptStorage(ports)(),
    TE.flatMap(() => makeSweepImages(ports)({ isConfirmed: true })),
    TE.map(({ uploads }) => uploads),
  )

/** The crash of D5: the item is written, the file is not deleted. */
const forgetful = (ports: Ports): Ports => ({
  ...ports,
  mediaStore: { ...ports.mediaStore, remove: () => TE.left(unavailable(new Error('crashed'))) },
})

onEachStore(
  t,
  'D5: a file left by a crash is swept, a referenced one is not',
  async (t, fixture) => {
    const { itemId, url } = await covered(fixture)
    t.equal((await upload(fixture, imagePath('library', itemId))).status, 200, 'the request is completed')
    const shown = (await look(fixture, 'library', itemId)).item.coverImgUrl
    t.equal(filesIn(fixture).length, 2, 'an unreferenced file is left')
    const sweep = () => sweptUploads(fixture.ports)
    t.equal(await done(sweep()), 0, 'it might belong to a running upload')
    fixture.clock.advance(61 * MINUTE)
    t.equal(await done(sweep()), 1)
    t.strictSame(filesIn(fixture), [nameIn(shown)])
    t.notOk(await isServed(fixture, url))
    t.equal(await done(sweep()), 0)
    await noBrokenLink(t, fixture)
  },
  { wrap: forgetful, policy: { tokenTtl } },
)

onEachStore(
  t,
  'D5: a file stored just before a crash, which no item references, is swept',
  async (t, fixture) => {
    const { url } = await covered(fixture)
    const name = 'stored-before-the-crash.png' as MediaName
    await done(fixture.ports.mediaStore.put(name, { type: 'image/png', bytes: PNG }))
    fixture.clock.advance(61 * MINUTE)
    t.equal(await done(sweptUploads(fixture.ports)), 1)
    t.strictSame(filesIn(fixture), [nameIn(url)])
  },
  { policy: { tokenTtl } },
)

onServer(
  t,
  'D5: an upload whose item cannot be written leaves no file',
  async (t, fixture) => {
    for (const contentType of ['library', 'feed'] as const) {
      const { itemId } = await create(fixture, contentType)
      const before = await look(fixture, contentType, itemId)
      await seeProblem(t, await upload(fixture, imagePath(contentType, itemId)), 'unavailable')
      t.strictSame(await look(fixture, contentType, itemId), before)
    }
    t.strictSame(filesIn(fixture), [])
  },
  {
    wrap: (ports) => {
      const change = () => TE.left(unavailable(new Error('no disk')))
      return {
        ...ports,
        libraryItems: { ...ports.libraryItems, change },
        feedItems: { ...ports.feedItems, change },
      }
    },
  },
)

t.test('D5: references to files survive a restart', async (t) => {
  const folder = t.testdir()
  const first = await startFixture(folder)
  const { itemId, url } = await covered(first)
  const live = await createLive(first, 'feed', { ...PHOTO, link: url })
  await first.stop()
  const second = await startFixture(folder, { after: first, policy: { tokenTtl } })
  t.teardown(second.stop)
  second.clock.advance(61 * MINUTE)
  t.equal(await done(sweptUploads(second.ports)), 0)
  t.equal((await remove(second, imagePath('library', itemId))).status, 200)
  t.ok(await isServed(second, url), 'the post still links to it')
  t.equal((await update(second, 'feed', live.itemId, { ...PHOTO, link: ELSEWHERE })).status, 200)
  t.strictSame(filesIn(second), [])
})
