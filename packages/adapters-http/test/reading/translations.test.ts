import t from 'tap'
import { BASE_URL, type Fixture, type Send } from '../support/fixture.ts'
import { create, createLive, itemIn, itemsIn, onEachStore, onServer, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

// J7: PUT and DELETE /library/<itemId>/translation.

const path = (itemId: string) => `/library/${itemId}/translation`

const put = (fixture: Fixture, itemId: string, counterpartId?: string, send: Send = {}) =>
  fixture.call('PUT', path(itemId), { as: 'manager', json: { counterpartId }, ...send })

const remove = (fixture: Fixture, itemId: string, send: Send = {}) =>
  fixture.call('DELETE', path(itemId), { as: 'manager', ...send })

const draft = (fixture: Fixture, lang: string) => create(fixture, 'library', { lang })

/** Returns the counterpart of an item as a list includes it. */
const counterpartOf = async (fixture: Fixture, itemId: string): Promise<unknown> => {
  const query = { itemId, include: 'translation' }
  const [item] = await itemsIn(await fixture.call('GET', '/library/', { as: 'manager', query }))
  return (item as unknown as { readonly translation: unknown }).translation
}

onEachStore(
  t,
  'J7: a link is symmetric and shows the counterpart, until it is removed',
  async (t, fixture) => {
    const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
    const of = ({ itemId, lang, status, updatedAt }: typeof en) => ({ itemId, lang, status, updatedAt })
    t.equal(await counterpartOf(fixture, en.itemId), null, 'none yet, and the response is cached')
    const linked = await put(fixture, en.itemId, fr.itemId)
    t.equal(linked.status, 200)
    t.equal(linked.headers.get('etag'), null)
    t.strictSame(await linked.json(), { translation: of(fr) })
    t.strictSame(await counterpartOf(fixture, en.itemId), of(fr))
    t.strictSame(await counterpartOf(fixture, fr.itemId), of(en))
    const removed = await remove(fixture, fr.itemId)
    t.equal(removed.status, 200)
    t.strictSame(await removed.json(), { translation: null })
    t.equal(await counterpartOf(fixture, en.itemId), null)
    await seeProblem(t, await remove(fixture, en.itemId), 'not_found')
  },
)

onEachStore(t, 'J7: linking replaces earlier links of both', async (t, fixture) => {
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const [otherEn, otherFr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  await put(fixture, en.itemId, fr.itemId)
  await put(fixture, otherEn.itemId, otherFr.itemId)
  t.equal((await put(fixture, otherFr.itemId, en.itemId)).status, 200)
  for (const { itemId } of [fr, otherEn]) t.equal(await counterpartOf(fixture, itemId), null)
  t.match(await counterpartOf(fixture, en.itemId), { itemId: otherFr.itemId })
})

onEachStore(t, 'J7: errors of a link, none of which changes anything', async (t, fixture) => {
  const [en, fr, second] = [
    await draft(fixture, 'en'),
    await draft(fixture, 'fr'),
    await draft(fixture, 'en'),
  ]
  await put(fixture, en.itemId, fr.itemId)
  for (const counterpartId of [second.itemId, en.itemId, '', undefined]) {
    const problem = await seeProblem(t, await put(fixture, en.itemId, counterpartId), 'invalid_request')
    t.strictSame(fieldsOf(problem), ['counterpartId'])
  }
  await seeProblem(t, await put(fixture, en.itemId, 'unknown'), 'not_found')
  await seeProblem(t, await put(fixture, 'unknown', en.itemId), 'not_found')
  await seeProblem(t, await remove(fixture, 'unknown'), 'not_found')
  const post = await create(fixture, 'feed', { lang: 'fr' })
  await seeProblem(t, await put(fixture, en.itemId, post.itemId), 'not_found')
  await seeProblem(t, await put(fixture, en.itemId, second.itemId, { as: 'donor' }), 'insufficient_scope')
  await seeProblem(t, await remove(fixture, en.itemId, { as: 'donor' }), 'insufficient_scope')
  t.match(await counterpartOf(fixture, en.itemId), { itemId: fr.itemId })
})

onEachStore(t, 'J7: links neither change nor need ETags and updatedAt', async (t, fixture) => {
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const read = async () => {
    const answers = await Promise.all(
      [en, fr].map(({ itemId }) => fixture.call('GET', `/library/${itemId}`, { as: 'manager' })),
    )
    return Promise.all(answers.map(async (one) => [one.headers.get('etag'), await one.text()]))
  }
  const before = await read()
  const headers = { 'If-Match': '"other"' }
  t.equal((await put(fixture, en.itemId, fr.itemId, { headers })).status, 200)
  t.strictSame(await read(), before)
  t.equal((await remove(fixture, fr.itemId, { headers })).status, 200)
  t.strictSame(await read(), before)
})

onEachStore(t, 'J7: the language of a linked item cannot change: 409', async (t, fixture) => {
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  await put(fixture, en.itemId, fr.itemId)
  const change = (lang: string) =>
    update(fixture, 'library', en.itemId, { ...LIBRARY_ITEM, status: 'Draft', lang })
  await seeProblem(t, await change('fr'), 'has_counterpart')
  t.equal((await itemIn(await change('en'))).lang, 'en')
  await remove(fixture, en.itemId)
  t.equal((await itemIn(await change('fr'))).lang, 'fr')
})

onEachStore(t, 'J7, K2: a restore that changes the language of a linked item: 409', async (t, fixture) => {
  const [item, fr] = [await draft(fixture, 'fr'), await draft(fixture, 'fr')]
  await update(fixture, 'library', item.itemId, { ...LIBRARY_ITEM, status: 'Draft', lang: 'en' })
  await put(fixture, item.itemId, fr.itemId)
  const restore = () => fixture.call('POST', `/library/${item.itemId}/history/1/restore`, { as: 'manager' })
  await seeProblem(t, await restore(), 'has_counterpart')
  await remove(fixture, item.itemId)
  t.equal((await itemIn(await restore())).lang, 'fr')
})

onServer(t, 'J7: parameters come in the query and in every encoding', async (t, fixture) => {
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const multipart = new FormData()
  multipart.append('counterpartId', fr.itemId)
  for (const send of [{ form: { counterpartId: fr.itemId } }, { multipart }] satisfies ReadonlyArray<Send>) {
    const answer = await fixture.call('PUT', `${path(en.itemId)}/`, { as: 'manager', ...send })
    t.match(await answer.json(), { translation: { itemId: fr.itemId } })
  }
  const query = { counterpartId: fr.itemId }
  t.equal((await fixture.call('PUT', path(en.itemId), { as: 'manager', query })).status, 200)
  const other = await fixture.call('POST', path(en.itemId), { as: 'manager' })
  t.equal(other.status, 405)
  t.equal(other.headers.get('allow'), 'PUT, DELETE, OPTIONS')
})

onEachStore(t, 'J4: a counterpart that the caller may not see is null', async (t, fixture) => {
  const en = await createLive(fixture, 'library', { lang: 'en' })
  const fr = await createLive(fixture, 'library', { lang: 'fr', isDonorRestricted: '1' })
  const alone = await createLive(fixture, 'library', { lang: 'en' })
  await put(fixture, en.itemId, fr.itemId)
  const seen = async (as: 'user' | 'donor' | 'manager') => {
    const query = { include: 'translation', lang: 'en' }
    const items = await itemsIn(await fixture.call('GET', '/library/', { as, query }))
    return items.map(
      (item) => (item as unknown as { translation: { itemId: string } | null }).translation?.itemId,
    )
  }
  t.strictSame(await seen('user'), [undefined, undefined])
  t.strictSame(await seen('donor'), [undefined, fr.itemId])
  await update(fixture, 'library', fr.itemId, { ...LIBRARY_ITEM, status: 'Draft' })
  t.strictSame(await seen('donor'), [undefined, undefined])
  t.strictSame(await seen('manager'), [undefined, fr.itemId])
  t.equal(await counterpartOf(fixture, alone.itemId), null)
})

onServer(t, 'J4, J6: include=translation is 400 on the feed, and links carry it', async (t, fixture) => {
  const wrong = await fixture.call('GET', '/feed/', { as: 'user', query: { include: 'labels,translation' } })
  t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['include'])
  for (const lang of ['en', 'fr']) await draft(fixture, lang)
  const query = { include: 'translation,labels', lim: '1' }
  const page = await fixture.call('GET', '/library/', { as: 'manager', query })
  const link = page.headers.get('link') ?? ''
  const url = new URL(link.slice(1, link.indexOf('>')))
  t.ok(url.href.startsWith(BASE_URL))
  t.equal(url.searchParams.get('include'), 'translation,labels')
  const [item] = await itemsIn(page)
  t.match(item, { labels: [], translation: null })
})

const reads: Array<number> = []

onServer(
  t,
  'J4: the counterparts of a page cost one more read, not one an item',
  async (t, fixture) => {
    for (let n = 0; n < 5; n += 1) await draft(fixture, 'en')
    const query = { include: 'translation', lim: '5' }
    t.equal((await itemsIn(await fixture.call('GET', '/library/', { as: 'manager', query }))).length, 5)
    t.strictSame(reads, [5])
  },
  {
    wrap: (ports) => ({
      ...ports,
      translations: {
        ...ports.translations,
        ofItems: (ids) => {
          reads.push(ids.length)
          return ports.translations.ofItems(ids)
        },
      },
    }),
  },
)
