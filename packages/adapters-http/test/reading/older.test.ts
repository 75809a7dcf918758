import type { Test } from 'tap'
import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { create, createLive, IMAGES, itemsIn, onEachStore, onServer, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

// J8: which side of a pair is older, and how it is confirmed.

const path = (itemId: string) => `/library/${itemId}/translation`

const put = (fixture: Fixture, itemId: string, json: object, send: Send = {}) =>
  fixture.call('PUT', path(itemId), { as: 'manager', json, ...send })

const edit = (fixture: Fixture, itemId: string, over: Readonly<Record<string, string>>) =>
  update(fixture, 'library', itemId, { ...LIBRARY_ITEM, status: 'Draft', ...over })

/** Returns what `include=older` says of items, in the order of ids. */
const olderOf = async (fixture: Fixture, ids: ReadonlyArray<string>, as: 'user' | 'manager' = 'manager') => {
  const items = await itemsIn(await fixture.call('GET', '/library/', { as, query: { include: 'older' } }))
  return ids.map((id) => {
    const item = items.find(({ itemId }) => itemId === id)
    return (item as unknown as { readonly older?: boolean | null } | undefined)?.older
  })
}

/** Makes a pair of Drafts of which the French side is older. */
const olderPair = async (t: Test, fixture: Fixture) => {
  const [en, fr] = [
    await create(fixture, 'library', { lang: 'en' }),
    await create(fixture, 'library', { lang: 'fr' }),
  ]
  const ids = [en.itemId, fr.itemId] as const
  await put(fixture, en.itemId, { counterpartId: fr.itemId })
  t.strictSame(await olderOf(fixture, ids), [false, false])
  await edit(fixture, en.itemId, { itemTitle: 'Pump' })
  t.strictSame(await olderOf(fixture, ids), [false, true])
  return { en, fr, ids }
}

onEachStore(t, 'J8: an item is older while words of its counterpart have changed', async (t, fixture) => {
  const { en, fr, ids } = await olderPair(t, fixture)
  await edit(fixture, en.itemId, { itemTitle: 'Deep pump' })
  t.strictSame(await olderOf(fixture, ids), [false, true])
  await edit(fixture, en.itemId, {})
  t.strictSame(await olderOf(fixture, ids), [false, false], 'taken back')
  await edit(fixture, en.itemId, { itemDescription: 'At work' })
  await edit(fixture, fr.itemId, { itemDescription: 'Au travail' })
  t.strictSame(await olderOf(fixture, ids), [false, false], 'followed')
  await edit(fixture, fr.itemId, { itemTitle: 'Pompe' })
  t.strictSame(await olderOf(fixture, ids), [true, false])
})

onEachStore(t, 'J8, K2: restoring words is a change of them', async (t, fixture) => {
  const { en, ids } = await olderPair(t, fixture)
  const restore = (number: number) =>
    fixture.call('POST', `/library/${en.itemId}/history/${number}/restore`, { as: 'manager' })
  t.equal((await restore(1)).status, 200)
  t.strictSame(await olderOf(fixture, ids), [false, false])
  t.equal((await restore(2)).status, 200)
  t.strictSame(await olderOf(fixture, ids), [false, true])
})

onEachStore(t, 'J8: publishing, labels, images, dates and readers make nothing older', async (t, fixture) => {
  const [en, fr] = [
    await create(fixture, 'library', { lang: 'en' }),
    await create(fixture, 'library', { lang: 'fr' }),
  ]
  await put(fixture, en.itemId, { counterpartId: fr.itemId })
  await edit(fixture, en.itemId, { ...IMAGES, status: 'Live' })
  await edit(fixture, en.itemId, { ...IMAGES, itemPublicationDate: '2026-05-02', isDonorRestricted: '1' })
  await edit(fixture, en.itemId, { link: 'https://example.org/other' })
  t.strictSame(await olderOf(fixture, [en.itemId, fr.itemId]), [false, false])
})

onEachStore(
  t,
  'J8: linking the same pair again changes nothing; upToDate=true confirms',
  async (t, fixture) => {
    const { en, fr, ids } = await olderPair(t, fixture)
    t.equal((await put(fixture, fr.itemId, { counterpartId: en.itemId })).status, 200)
    t.strictSame(await olderOf(fixture, ids), [false, true])
    const headers = { 'If-Match': '"other"' }
    const confirmed = await put(fixture, fr.itemId, { upToDate: true }, { headers })
    t.equal(confirmed.status, 200)
    t.match(await confirmed.json(), { translation: { itemId: en.itemId, lang: 'en' } })
    t.strictSame(await olderOf(fixture, ids), [false, false])
    t.match(await (await put(fixture, en.itemId, { upToDate: 'true' })).json(), {
      translation: { itemId: fr.itemId },
    })
    await edit(fixture, fr.itemId, { itemTitle: 'Pompe' })
    t.strictSame(await olderOf(fixture, ids), [true, false])
    const both = { counterpartId: fr.itemId, upToDate: 'true' }
    t.equal((await put(fixture, en.itemId, both)).status, 200)
    t.strictSame(await olderOf(fixture, ids), [false, false])
    const other = await create(fixture, 'library', { lang: 'en' })
    t.equal((await put(fixture, other.itemId, both)).status, 200, 'a new link with both')
    t.strictSame(await olderOf(fixture, [other.itemId, en.itemId]), [false, null])
  },
)

onEachStore(t, 'J8: errors of a confirmation, none of which changes anything', async (t, fixture) => {
  const { en, fr, ids } = await olderPair(t, fixture)
  for (const upToDate of ['false', 'TRUE', '1', 'yes', false, 0]) {
    const problem = await seeProblem(t, await put(fixture, fr.itemId, { upToDate }), 'invalid_request')
    t.ok(fieldsOf(problem).includes('upToDate'))
    const also = await put(fixture, fr.itemId, { upToDate, counterpartId: en.itemId })
    t.strictSame(fieldsOf(await seeProblem(t, also, 'invalid_request')), ['upToDate'])
  }
  for (const upToDate of ['', null]) {
    const problem = await seeProblem(t, await put(fixture, fr.itemId, { upToDate }), 'invalid_request')
    t.strictSame(fieldsOf(problem), ['counterpartId'], 'absent')
  }
  const alone = await create(fixture, 'library', { lang: 'en' })
  await seeProblem(t, await put(fixture, alone.itemId, { upToDate: 'true' }), 'not_found')
  await seeProblem(t, await put(fixture, 'unknown', { upToDate: 'true' }), 'not_found')
  const unknown = { upToDate: 'true', counterpartId: 'unknown' }
  await seeProblem(t, await put(fixture, fr.itemId, unknown), 'not_found')
  const same = { upToDate: 'true', counterpartId: alone.itemId }
  t.strictSame(fieldsOf(await seeProblem(t, await put(fixture, en.itemId, same), 'invalid_request')), [
    'counterpartId',
  ])
  const denied = await put(fixture, fr.itemId, { upToDate: 'true' }, { as: 'donor' })
  await seeProblem(t, denied, 'insufficient_scope')
  t.strictSame(await olderOf(fixture, ids), [false, true])
})

onEachStore(t, 'J4, J8: older is null without a counterpart that the caller may see', async (t, fixture) => {
  const en = await createLive(fixture, 'library', { lang: 'en' })
  const fr = await createLive(fixture, 'library', { lang: 'fr' })
  const ids = [en.itemId, fr.itemId]
  t.strictSame(await olderOf(fixture, ids), [null, null])
  await put(fixture, en.itemId, { counterpartId: fr.itemId })
  await edit(fixture, en.itemId, { itemTitle: 'Pump', status: 'Live' })
  for (const as of ['user', 'manager'] as const) t.strictSame(await olderOf(fixture, ids, as), [false, true])
  await edit(fixture, en.itemId, { itemTitle: 'Pump', status: 'Draft' })
  t.strictSame(await olderOf(fixture, ids, 'user'), [undefined, null])
  t.strictSame(await olderOf(fixture, ids), [false, true])
})

onServer(
  t,
  'J4: include=older is 400 on the feed, and an answer without it has no such member',
  async (t, fixture) => {
    const wrong = await fixture.call('GET', '/feed/', { as: 'user', query: { include: 'older' } })
    t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['include'])
    await create(fixture, 'library', { lang: 'en' })
    const query = { include: 'labels,translation,older' }
    const [item] = await itemsIn(await fixture.call('GET', '/library/', { as: 'manager', query }))
    t.match(item, { labels: [], translation: null, older: null })
    const [plain] = await itemsIn(await fixture.call('GET', '/library/', { as: 'manager' }))
    t.notOk('older' in (plain ?? {}))
  },
)
