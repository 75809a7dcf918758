import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { createLive, update } from '../support/items.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

interface Listed {
  readonly publications: ReadonlyArray<{
    readonly publication: {
      readonly sides: ReadonlyArray<{ readonly item: Readonly<Record<string, unknown>> }>
    }
  }>
}

onBoth('J7: the console lists both languages of a publication as one', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const read = async (query = '') => {
    const response = await fixture.call('GET', `/console/api/publications${query}`, { headers })
    t.equal(response.status, 200, query)
    const { publications } = (await response.json()) as Listed
    const link = /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1]
    return {
      total: response.headers.get('x-total-count'),
      next: link?.slice(link.indexOf('?')),
      rows: publications.map(({ publication }) => publication.sides.map(({ item }) => item)),
    }
  }
  const titles = async (query: string) =>
    (await read(query)).rows.map((sides) => sides.map((item) => item['itemTitle']).join(' + '))
  t.same(await read(), { total: null, next: undefined, rows: [] })

  const item = (itemTitle: string, lang: string, itemPublicationDate: string) =>
    createLive(fixture, 'library', { itemTitle, lang, itemPublicationDate })
  const en = await item('Well', 'en', '2024-01-01')
  const fr = await item('Puits', 'fr', '2024-03-01')
  await item('École', 'fr', '2024-02-01')
  const json = { counterpartId: fr.itemId }
  await fixture.call('PUT', `/library/${en.itemId}/translation`, { as: 'manager', json })
  const words = { ...LIBRARY_ITEM, itemTitle: 'A deep well', itemPublicationDate: '2024-01-01' }
  await update(fixture, 'library', en.itemId, { ...words, status: 'Live' })

  const { rows, ...page } = await read('?lim=1&count=true')
  t.match(page, { total: '2', next: /after=/ })
  t.match(rows, [
    [
      { itemId: fr.itemId, older: true, labels: [], translation: { itemId: en.itemId }, images: {} },
      { itemId: en.itemId, older: false },
    ],
  ])
  t.match((await read(page.next)).rows, [[{ itemTitle: 'École' }]])
  t.same(await titles('?order=title'), ['École', 'Puits + A deep well'])
  t.same(await titles('?q=deep'), ['Puits + A deep well'])
  t.same(await titles('?translation=missing'), ['École'])
  t.same(await titles('?translation=older&lang=fr'), ['Puits + A deep well'])
  t.same(await titles('?translation=older&lang=en'), [])

  const bad = '?lim=101&order=size&translation=none&after=x&lang=de&status=Gone'
  const refused = await fixture.call('GET', `/console/api/publications${bad}`, { headers })
  t.match(await refused.json(), {
    status: 400,
    errors: ['lim', 'after', 'order', 'lang', 'status', 'translation'].map((field) => ({ field })),
  })
})
