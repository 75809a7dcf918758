import t, { type Test } from 'tap'
import type { Fixture, Send, Who } from '../support/fixture.ts'
import { create, createIn, createLive, look, onEachStore } from '../support/items.ts'
import { imagePath, upload } from '../support/uploads.ts'

// C4 and E2 over HTTP: a hidden item and a missing one get the same response, to the last header.

/** An unused identifier in the usual form. */
const ABSENT = '019de368-f600-7000-8000-0123456789ab'

/** Header fields that differ in each response. */
const OWN = new Set(['date', 'x-request-id'])

/** All observable parts of a response; the requested id is masked where the caller sent it. */
const tell = async (answer: Response, itemId: string) => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => !OWN.has(name)),
  body: (await answer.text()).replaceAll(itemId, 'ID').replace(/"requestId":"[^"]+"/, '"requestId":"…"'),
})

/** Every request about one item of a content type that callers without full visibility may send. */
const ways = (
  contentType: 'library' | 'feed',
  itemId: string,
  etag: string,
): ReadonlyArray<[string, string, Send?]> => [
  ['GET', `/${contentType}/${itemId}`],
  ['HEAD', `/${contentType}/${itemId}`],
  ['GET', `/${contentType}/${itemId}?lim=1`],
  ['GET', `/${contentType}/${itemId}?lim=1&offset=1`],
  ['GET', `/${contentType}/${itemId}?lang=fr`],
  ['GET', `/${contentType}/?itemId=${itemId}`],
  ['HEAD', `/${contentType}/?itemId=${itemId}`],
  ['GET', `/${contentType}/${itemId}`, { headers: { 'if-none-match': '*' } }],
  ['GET', `/${contentType}/${itemId}`, { headers: { 'if-none-match': etag } }],
  ['GET', `/${contentType}/${itemId}/label`],
  ['HEAD', `/${contentType}/${itemId}/label`],
  ['GET', `/${contentType}/${itemId}/label?labelId=water`],
  ['GET', `/${contentType}/label?itemId=${itemId}`],
  ['GET', `/${contentType}/label/water?itemId=${itemId}`],
  ['POST', `/${contentType}/${itemId}`, { json: { status: 'Live' } }],
  ['POST', `/${contentType}/${itemId}/label`, { json: { labelId: 'water' } }],
  ['DELETE', `/${contentType}/${itemId}/label/water`],
  ['DELETE', imagePath(contentType, itemId)],
]

const tellsNothing = async (
  t: Test,
  fixture: Fixture,
  contentType: 'library' | 'feed',
  itemId: string,
  as: Who,
) => {
  const { etag } = await look(fixture, contentType, itemId)
  const hidden = ways(contentType, itemId, etag)
  const absent = ways(contentType, ABSENT, etag)
  for (const [n, [method, path, send]] of hidden.entries()) {
    const other = absent[n]
    if (other === undefined) throw new Error('no counterpart')
    const [mine, nobodys] = [
      await tell(await fixture.call(method, path, { as, ...send }), itemId),
      await tell(await fixture.call(other[0], other[1], { as, ...other[2] }), ABSENT),
    ]
    t.strictSame(mine, nobodys, `${as}: ${method} ${path} ${JSON.stringify(send ?? {})}`)
  }
}

const DUE_LATER = { itemPublicationDate: '2030-01-01' }

onEachStore(
  t,
  'C4, E2: responses do not distinguish a hidden item from a missing one',
  async (t, fixture) => {
    const label = async (contentType: 'library' | 'feed', itemId: string) => {
      await fixture.call('POST', `/${contentType}/${itemId}/label`, {
        as: 'manager',
        json: { labelId: 'water' },
      })
      await upload(fixture, imagePath(contentType, itemId))
    }
    for (const contentType of ['library', 'feed'] as const) {
      const draft = await create(fixture, contentType, { lang: 'fr' })
      const archived = await createIn(fixture, contentType, 'Archived')
      const restricted = await createLive(fixture, contentType, { isDonorRestricted: '1' })
      for (const { itemId } of [draft, archived, restricted]) {
        await label(contentType, itemId)
        await tellsNothing(t, fixture, contentType, itemId, 'user')
      }
      for (const { itemId } of [draft, archived]) await tellsNothing(t, fixture, contentType, itemId, 'donor')
    }
    const waiting = await createLive(fixture, 'library', DUE_LATER)
    await label('library', waiting.itemId)
    for (const as of ['user', 'donor', 'userManager'] as const)
      await tellsNothing(t, fixture, 'library', waiting.itemId, as)
  },
  { policy: { embargo: true } },
)

onEachStore(t, 'C4, D4: nor do responses to a forbidden upload', async (t, fixture) => {
  const draft = await create(fixture, 'feed')
  await upload(fixture, imagePath('feed', draft.itemId))
  const archived = await createIn(fixture, 'feed', 'Archived')
  const restricted = await createLive(fixture, 'feed', { isDonorRestricted: '1' })
  for (const { itemId } of [draft, archived, restricted]) {
    const [mine, nobodys] = [
      await tell(await upload(fixture, imagePath('feed', itemId), {}, { as: 'user' }), itemId),
      await tell(await upload(fixture, imagePath('feed', ABSENT), {}, { as: 'user' }), ABSENT),
    ]
    t.equal(mine.status, 404)
    t.strictSame(mine, nobodys)
  }
})

onEachStore(
  t,
  'C4: a hidden item leaves no trace in collections, pages, Links or offsets',
  async (t, fixture) => {
    for (const contentType of ['library', 'feed'] as const) {
      const shown = []
      for (const n of [1, 2, 3]) {
        shown.unshift((await createLive(fixture, contentType, { itemTitle: `${n}` })).itemId)
        if (n < 3) await create(fixture, contentType)
      }
      const page = (query: string) => fixture.call('GET', `/${contentType}/?${query}`, { as: 'user' })
      const hidden = await create(fixture, contentType)
      const first = await tell(await page('lim=3'), hidden.itemId)
      t.notOk(
        first.headers.some(([name]) => name === 'link'),
        'there are only three',
      )
      for (const [rank, itemId] of shown.entries())
        t.match(await (await page(`lim=1&offset=${rank}`)).text(), itemId, `offset ${rank}`)
      t.strictSame(await (await page('lim=1&offset=3')).json(), { items: [] })
    }
  },
)
