import t from 'tap'
import { create, createLive, IMAGES, itemsIn, onEachStore, PHOTO, update } from '../support/items.ts'
import { FEED_ITEM, LIBRARY_ITEM } from '../support/samples.ts'

const NOON = '2026-05-01T12:00:00.000Z'

const BOTH = {
  isDonorRestricted: '0',
  lang: 'en',
  status: 'Draft',
  itemRelatedLink: '',
  createdAt: NOON,
  updatedAt: NOON,
}

/** A new item without its identifier: exactly the fields of C2. */
const FRESH = {
  library: { ...BOTH, ...LIBRARY_ITEM, coverImgUrl: '', notificationImgUrl: '' },
  feed: { ...BOTH, ...FEED_ITEM, vlink: '' },
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

onEachStore(t, 'C1: creating a library item returns a collection of one', async (t, fixture) => {
  const answer = await fixture.call('POST', '/library/', { as: 'manager', json: LIBRARY_ITEM })
  const body = (await answer.json()) as { items: [{ item: { itemId: string } }] }
  t.equal(answer.status, 200, 'success is 200')
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const { itemId } = body.items[0].item
  t.match(itemId, UUID_V7, 'C3: identifiers are UUIDv7')
  t.strictSame(body, { items: [{ item: { itemId, ...FRESH.library } }] }, 'C2: exactly these fields')
})

onEachStore(t, 'C1: creating a feed item returns a single item', async (t, fixture) => {
  const answer = await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM })
  const body = (await answer.json()) as { item: { itemId: string } }
  t.equal(answer.status, 200, 'success is 200')
  const { itemId } = body.item
  t.match(itemId, UUID_V7, 'C3: identifiers are UUIDv7')
  t.strictSame(body, { item: { itemId, ...FRESH.feed } }, 'C2: exactly these fields')
})

for (const contentType of ['library', 'feed'] as const) {
  onEachStore(t, `C1: updating a ${contentType} item returns a single item`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const answer = await update(fixture, contentType, itemId)
    t.equal(answer.status, 200)
    t.strictSame(await answer.json(), { item: { itemId, ...FRESH[contentType] } })
  })

  onEachStore(
    t,
    `C1: GET /${contentType}/ and /${contentType}/<itemId> return a collection, possibly empty`,
    async (t, fixture) => {
      const all = async () => (await fixture.call('GET', `/${contentType}/`, { as: 'manager' })).json()
      t.strictSame(await all(), { items: [] }, 'empty')
      const { itemId } = await create(fixture, contentType)
      const whole = { items: [{ item: { itemId, ...FRESH[contentType] } }] }
      t.strictSame(await all(), whole, 'of one')
      const one = await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'manager' })
      t.equal(one.status, 200)
      t.strictSame(await one.json(), whole, 'by path')
    },
  )

  onEachStore(
    t,
    `C2: createdAt of a ${contentType} item stays, updatedAt changes with each write, both RFC 3339 in UTC`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      fixture.clock.advance(61_001)
      await update(fixture, contentType, itemId)
      const [item] = await itemsIn(await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'manager' }))
      t.equal(item?.createdAt, NOON)
      t.equal(item?.updatedAt, '2026-05-01T12:01:01.001Z')
    },
  )

  onEachStore(
    t,
    `C2: a ${contentType} item has the text, language and restriction that were sent`,
    async (t, fixture) => {
      const sent = {
        itemTitle: 'Ça coûte « 5 € » \u{1F6B0}',
        itemDescription: 'Deux\nlignes "citées", \\ et </script>',
        link: 'https://example.org/é?q=%20&x=%3C',
        lang: 'fr',
        isDonorRestricted: '1',
      }
      const item = await create(fixture, contentType, sent)
      t.match(item, sent)
      const [again] = await itemsIn(await fixture.call('GET', `/${contentType}/`, { as: 'manager' }))
      t.strictSame(again, item, 'also in the list')
    },
  )
}

onEachStore(t, 'C2: a Live library item has its image URLs and the link to its cover', async (t, fixture) => {
  const { itemId, ...item } = await createLive(fixture, 'library')
  t.strictSame(item, {
    ...FRESH.library,
    ...IMAGES,
    status: 'Live',
    itemRelatedLink: IMAGES.coverImgUrl,
  })
})

onEachStore(t, 'C2: absent text of a feed item of any type is ""', async (t, fixture) => {
  const photo = await create(fixture, 'feed', { ...PHOTO, link: undefined })
  t.match(photo, { itemType: 'photo', link: '', vlink: '', itemRelatedLink: '' })
  const film = { itemType: 'vlink', vlink: 'https://example.org/film', link: undefined }
  t.match(await create(fixture, 'feed', film), { itemType: 'vlink', vlink: film.vlink, link: '' })
  const both = { ...film, link: 'https://example.org/page' }
  t.match(await create(fixture, 'feed', both), { itemType: 'vlink', vlink: both.vlink, link: both.link })
})

onEachStore(t, 'C2: library and feed have separate items', async (t, fixture) => {
  const library = await create(fixture, 'library')
  const feed = await create(fixture, 'feed')
  t.strictSame(
    await itemsIn(await fixture.call('GET', `/feed/${library.itemId}`, { as: 'manager' })),
    [],
    'a library item is not a feed item',
  )
  t.strictSame(await itemsIn(await fixture.call('GET', `/library/${feed.itemId}`, { as: 'manager' })), [])
  t.equal((await update(fixture, 'feed', library.itemId)).status, 404)
  t.equal((await update(fixture, 'library', feed.itemId)).status, 404)
})
