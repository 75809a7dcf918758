import { makePurgeDeletedDrafts } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { FEED_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { imagePath, served, upload } from '../support/uploads.ts'

for (const contentType of ['library', 'feed'] as const)
  onBoth(`C18: a ${contentType} draft is deleted, and brought back for ten seconds`, async (t, fixture) => {
    const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
    const itemId = await (contentType === 'library' ? newLibraryItem : newFeedItem)(fixture)
    const path = `/console/api/${contentType}/${itemId}`
    const call = async (method: string, at: string, more: Record<string, string> = {}) => {
      const response = await fixture.call(method, at, { headers: { ...headers, ...more } })
      return { status: response.status, body: await response.json() }
    }
    const find = () => call('GET', path)
    const before = await find()
    t.equal((await call('DELETE', path, { 'if-match': '"9-9"' })).status, 412)
    const { status, body } = await call('DELETE', path)
    const { deletionId, until } = (body as { deletion: { deletionId: string; until: string } }).deletion
    t.equal(status, 200)
    t.equal(Date.parse(until), fixture.clock.now() + 10_000)
    t.same((await find()).body, { items: [] })
    t.same((await call('GET', `${path}/history`)).body, { history: [] })
    t.equal((await call('DELETE', path)).status, 404)
    const changes = await fixture.call('GET', '/changes', { as: 'manager' })
    t.notMatch(await changes.text(), itemId, 'N1: a copy that begins now never had it')
    const undo = (id: string) => call('POST', `${path}/deletion/${id}/undo`)
    t.equal((await undo('another')).status, 404)
    fixture.clock.advance(10_000)
    t.equal((await undo(deletionId)).status, 200)
    t.same(await find(), before)
    t.equal((await undo(deletionId)).status, 404, 'once')
    const again = await call('DELETE', path)
    fixture.clock.advance(10_001)
    const { deletion } = again.body as { deletion: { deletionId: string } }
    t.equal((await undo(deletion.deletionId)).status, 404, 'later it is 404')
    const api = await fixture.call('DELETE', `/${contentType}/${itemId}`, { as: 'manager' })
    t.equal(api.status, 405, 'no route of the API')
  })

onBoth('C18: what was Live once, or is not a Draft, is not deleted', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const itemId = await newFeedItem(fixture)
  const path = `/console/api/feed/${itemId}`
  const remove = () => fixture.call('DELETE', path, { headers })
  for (const status of ['Archived', 'Draft', 'Live', 'Archived', 'Draft'] as const) {
    const moved = await fixture.call('POST', path, { json: { ...FEED_ITEM, status }, headers })
    t.equal(moved.status, 200)
    if (status !== 'Draft') {
      const refused = await remove()
      t.equal(refused.status, 409)
      t.match(await refused.json(), { code: 'illegal_move' })
    }
  }
  t.equal((await remove()).status, 409, 'a Draft that readers have seen')
  const never = await newFeedItem(fixture)
  for (const status of ['Archived', 'Draft'])
    await fixture.call('POST', `/console/api/feed/${never}`, { json: { ...FEED_ITEM, status }, headers })
  t.equal((await fixture.call('DELETE', `/console/api/feed/${never}`, { headers })).status, 200)
})

onBoth('C18, D5: the image of a deleted post stays for an hour', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const itemId = await newFeedItem(fixture, { itemType: 'photo' })
  const path = `/console/api/feed/${itemId}`
  const uploaded = await upload(fixture, imagePath('feed', itemId))
  const image = (await uploaded.json()) as string
  const status = async () => (await served(fixture, image)).status
  const purge = makePurgeDeletedDrafts(fixture.ports)
  const remove = async () => {
    const response = await fixture.call('DELETE', path, { headers })
    return ((await response.json()) as { deletion: { deletionId: string } }).deletion.deletionId
  }
  const deletionId = await remove()
  await done(purge())
  t.equal(await status(), 200)
  const undone = await fixture.call('POST', `${path}/deletion/${deletionId}/undo`, { headers })
  t.match(await undone.text(), image)
  await remove()
  fixture.clock.advance(3_599_999)
  t.equal(await done(purge()), 0)
  t.equal(await status(), 200)
  fixture.clock.advance(1)
  t.equal(await done(purge()), 1)
  t.equal(await status(), 404)
})
