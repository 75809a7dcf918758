import t, { type Test } from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { create, type Fields, itemsIn, onEachStore, onServer } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM, LIBRARY_ITEM } from '../support/samples.ts'

// POST /library/ and POST /feed/ in the interface: every row of their parameter tables, and the limits.

const CONTENT_TYPES = ['library', 'feed'] as const
const SAMPLES = { library: LIBRARY_ITEM, feed: FEED_ITEM }

const post = (fixture: Fixture, contentType: 'library' | 'feed', over: Fields, send: Send = {}) =>
  fixture.call('POST', `/${contentType}/`, {
    as: 'manager',
    json: { ...SAMPLES[contentType], ...over },
    ...send,
  })

/** Returns the fields that are rejected with these parameters. */
const refused = async (t: Test, fixture: Fixture, contentType: 'library' | 'feed', over: Fields) =>
  fieldsOf(
    await seeProblem(t, await post(fixture, contentType, over), 'invalid_request', JSON.stringify(over)),
  )

const WELL = '\u{1F6B0}'

for (const contentType of CONTENT_TYPES) {
  onServer(
    t,
    `interface, POST /${contentType}/: isDonorRestricted is optional; 0 or false is public, any other value restricted`,
    async (t, fixture) => {
      const cases = [
        [undefined, '0'],
        ['0', '0'],
        ['false', '0'],
        ['FALSE', '0'],
        [false, '0'],
        [0, '0'],
        ['1', '1'],
        ['true', '1'],
        ['no', '1'],
        ['00', '1'],
        [true, '1'],
        [2, '1'],
        ['', '1'],
      ]
      for (const [isDonorRestricted, expected] of cases) {
        const item = await create(fixture, contentType, { isDonorRestricted })
        t.equal(item.isDonorRestricted, expected, `${JSON.stringify(isDonorRestricted)}`)
      }
    },
  )

  onServer(
    t,
    `interface, POST /${contentType}/: lang is optional, en or fr in any case, default en`,
    async (t, fixture) => {
      for (const [lang, expected] of [
        [undefined, 'en'],
        ['', 'en'],
        ['fr', 'fr'],
        ['FR', 'fr'],
        ['En', 'en'],
      ])
        t.equal((await create(fixture, contentType, { lang })).lang, expected, `${lang}`)
      for (const lang of ['de', 'english', 'fr-CA'])
        t.strictSame(await refused(t, fixture, contentType, { lang }), ['lang'], lang)
    },
  )

  onServer(
    t,
    `limits: itemTitle of ${contentType} items has up to 100 characters and is required`,
    async (t, fixture) => {
      for (const itemTitle of ['a', WELL.repeat(100), 'é'.repeat(100)])
        t.equal(
          (await create(fixture, contentType, { itemTitle })).itemTitle,
          itemTitle,
          `${itemTitle.length} UTF-16 units`,
        )
      for (const itemTitle of [undefined, '', ' \n', 'a'.repeat(101), WELL.repeat(101)])
        t.strictSame(
          await refused(t, fixture, contentType, { itemTitle }),
          ['itemTitle'],
          `${itemTitle?.length}`,
        )
    },
  )

  onServer(
    t,
    `limits: itemDescription of ${contentType} items has up to 1000 characters and is required`,
    async (t, fixture) => {
      for (const itemDescription of ['a', WELL.repeat(1000)])
        t.equal((await create(fixture, contentType, { itemDescription })).itemDescription, itemDescription)
      for (const itemDescription of [undefined, '', '\t', 'a'.repeat(1001), WELL.repeat(1001)])
        t.strictSame(await refused(t, fixture, contentType, { itemDescription }), ['itemDescription'])
    },
  )

  onServer(t, `interface, POST /${contentType}/: link is a URL`, async (t, fixture) => {
    for (const link of ['https://example.org', 'http://127.0.0.1:8080/a?b=c#d', 'HTTPS://EXAMPLE.ORG/'])
      t.equal((await create(fixture, contentType, { link })).link, link, link)
    for (const link of [
      'x',
      'ftp://example.org/',
      'javascript:alert(1)',
      '//example.org',
      'https://a:b@example.org',
    ])
      t.strictSame(await refused(t, fixture, contentType, { link }), ['link'], link)
  })

  onEachStore(
    t,
    `states: a new ${contentType} item is a Draft with any other parameters`,
    async (t, fixture) => {
      const images = {
        coverImgUrl: 'https://example.org/c.png',
        notificationImgUrl: 'https://example.org/n.png',
      }
      const item = await create(fixture, contentType, {
        ...images,
        status: 'Live',
        itemId: 'mine',
        createdAt: 'x',
      })
      t.equal(item.status, 'Draft')
      t.equal(item.itemRelatedLink, '', 'images have their own endpoints')
      t.not(item.itemId, 'mine')
    },
  )

  onEachStore(
    t,
    `states: only authorised callers create a ${contentType} item, and a rejected one is not stored`,
    async (t, fixture) => {
      await seeProblem(t, await post(fixture, contentType, {}, { as: 'user' }), 'insufficient_scope', 'user')
      if (contentType === 'library')
        await seeProblem(
          t,
          await post(fixture, contentType, {}, { as: 'donor' }),
          'insufficient_scope',
          'donor',
        )
      await post(fixture, contentType, { itemTitle: '' })
      t.strictSame(await itemsIn(await fixture.call('GET', `/${contentType}/`, { as: 'manager' })), [])
      for (const as of contentType === 'library'
        ? (['manager', 'admin'] as const)
        : (['donor', 'admin'] as const))
        t.equal((await post(fixture, contentType, {}, { as })).status, 200, as)
    },
  )
}

onServer(t, 'interface, POST /library/: link is required', async (t, fixture) => {
  for (const link of [undefined, '']) t.strictSame(await refused(t, fixture, 'library', { link }), ['link'])
})

onServer(
  t,
  'interface, POST /library/: itemPublicationDate is required, YYYY-MM-DD, a real day',
  async (t, fixture) => {
    for (const itemPublicationDate of ['2026-05-01', '2024-02-29', '1999-12-31', '9999-12-31'])
      t.equal(
        (await create(fixture, 'library', { itemPublicationDate })).itemPublicationDate,
        itemPublicationDate,
      )
    for (const itemPublicationDate of [
      undefined,
      '',
      '2023-02-30',
      '2025-02-29',
      '2026-5-1',
      '01/05/2026',
      'today',
    ])
      t.strictSame(await refused(t, fixture, 'library', { itemPublicationDate }), ['itemPublicationDate'])
  },
)

onServer(
  t,
  'interface, POST /feed/: itemType is required, one of photo, link, vlink, matched exactly',
  async (t, fixture) => {
    for (const itemType of ['photo', 'link', 'vlink'])
      t.equal(
        (await create(fixture, 'feed', { itemType, vlink: 'https://example.org/v' })).itemType,
        itemType,
      )
    for (const itemType of [undefined, '', 'Photo', 'video', 'link '])
      t.strictSame(await refused(t, fixture, 'feed', { itemType }), ['itemType'], `${itemType}`)
  },
)

onServer(
  t,
  'interface, POST /feed/: link is required only when itemType is link, vlink only when it is vlink',
  async (t, fixture) => {
    for (const none of [undefined, '', null]) {
      const bare = { link: none, vlink: none }
      t.equal((await post(fixture, 'feed', { ...bare, itemType: 'photo' })).status, 200)
      t.strictSame(await refused(t, fixture, 'feed', { ...bare, itemType: 'link' }), ['link'])
      t.strictSame(await refused(t, fixture, 'feed', { ...bare, itemType: 'vlink' }), ['vlink'])
    }
    t.strictSame(
      await refused(t, fixture, 'feed', { itemType: 'vlink', vlink: 'film' }),
      ['vlink'],
      'a bad value is named once',
    )
    t.strictSame(await refused(t, fixture, 'feed', { itemType: 'photo', link: 'x', vlink: 'y' }), [
      'link',
      'vlink',
    ])
  },
)

onServer(t, 'limits: every bad field of a new library item is named at once', async (t, fixture) => {
  const bad = {
    itemTitle: 'a'.repeat(101),
    itemDescription: '',
    link: 'x',
    itemPublicationDate: '2023-02-30',
    lang: 'de',
  }
  t.strictSame(await refused(t, fixture, 'library', bad), Object.keys(bad).sort())
  const missing = await seeProblem(
    t,
    await fixture.call('POST', '/library/', { as: 'manager', json: {} }),
    'invalid_request',
  )
  t.strictSame(fieldsOf(missing), ['itemDescription', 'itemPublicationDate', 'itemTitle', 'link'])
})

onServer(t, 'limits: every bad field of a new feed item is named at once', async (t, fixture) => {
  const bad = { itemTitle: 'a'.repeat(101), itemDescription: '', link: 'x', vlink: 'y', lang: 'de' }
  t.strictSame(await refused(t, fixture, 'feed', bad), Object.keys(bad).sort())
  const further = { itemType: 'vlink', itemTitle: '', link: 'x' }
  t.strictSame(
    await refused(t, fixture, 'feed', further),
    ['itemTitle', 'link', 'vlink'],
    'including the one that its type requires',
  )
  const missing = await seeProblem(
    t,
    await fixture.call('POST', '/feed/', { as: 'donor', json: {} }),
    'invalid_request',
  )
  t.strictSame(fieldsOf(missing), ['itemDescription', 'itemTitle', 'itemType'])
})

onServer(t, 'B9: the encoding does not affect the created item', async (t, fixture) => {
  for (const contentType of CONTENT_TYPES) {
    const sent: Record<string, string> = { ...SAMPLES[contentType], isDonorRestricted: 'false', lang: 'FR' }
    const form = new FormData()
    for (const [name, value] of Object.entries(sent)) form.append(name, value)
    const answers = [
      await fixture.call('POST', `/${contentType}/`, { as: 'manager', json: sent }),
      await fixture.call('POST', `/${contentType}/`, { as: 'manager', form: sent }),
      await fixture.call('POST', `/${contentType}/`, { as: 'manager', multipart: form }),
      await fixture.call('POST', `/${contentType}/`, { as: 'manager', query: sent }),
    ]
    for (const answer of answers) t.equal(answer.status, 200)
    const items = await itemsIn(await fixture.call('GET', `/${contentType}/`, { as: 'manager' }))
    t.equal(items.length, answers.length)
    for (const { itemId: _, ...item } of items)
      t.strictSame(item, { ...item, ...SAMPLES[contentType], isDonorRestricted: '0', lang: 'fr' })
  }
})
