import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { createLive, update } from '../support/items.ts'
import { FEED_ITEM, LIBRARY_ITEM } from '../support/samples.ts'

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

onBoth('C6, C7: everything that a new entry lacks to be Live is named at once', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const check = async (contentType: string, json: Readonly<Record<string, string>>) => {
    const response = await fixture.call('POST', `/console/api/${contentType}/check`, { json, headers })
    if (response.status === 200) return 'could be Live'
    const { errors } = (await response.json()) as { errors: ReadonlyArray<{ field: string }> }
    return errors.map(({ field }) => field)
  }
  const missing = ['itemTitle', 'itemDescription', 'link', 'itemPublicationDate']
  t.same(await check('library', {}), [...missing, 'coverImgUrl', 'notificationImgUrl'])
  t.same(await check('library', { ...LIBRARY_ITEM, images: 'cover' }), ['notificationImgUrl'])
  t.same(await check('library', { ...LIBRARY_ITEM, link: 'wells', images: 'photo' }), [
    ...['link', 'images', 'coverImgUrl', 'notificationImgUrl'],
  ])
  t.same(await check('library', { ...LIBRARY_ITEM, images: 'notification,cover' }), 'could be Live')
  const { link: _, ...photo } = { ...FEED_ITEM, itemType: 'photo' }
  t.same(await check('feed', {}), ['itemType', 'itemTitle', 'itemDescription'])
  t.same(await check('feed', { ...photo, itemTitle: '' }), ['itemTitle', 'link'])
  t.same(await check('feed', { ...photo, itemType: 'vlink', images: 'image' }), ['vlink'])
  t.same(await check('feed', { ...photo, images: 'image' }), 'could be Live')
  t.same(await check('feed', FEED_ITEM), 'could be Live')
  for (const contentType of ['library', 'feed']) {
    const listed = await fixture.call('GET', `/${contentType}/`, { as: 'manager' })
    t.same(await listed.json(), { items: [] }, 'nothing is created')
  }
})
