import type { TimeZone } from '@almoner/domain/values'
import t, { type Test } from 'tap'
import { ENCODING_NAMES, ENCODINGS } from '../support/encodings.ts'
import { type Fixture, type FixtureOptions, startFixture } from '../support/fixture.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM, LIBRARY_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', ...options })
  t.teardown(fixture.stop)
  return fixture
}

type Item = Readonly<Record<string, string>>

/** Creates in each encoding and gives the items, or checks that all refuse these fields. */
const createIn = async (
  t: Test,
  fixture: Fixture,
  fields: Readonly<Record<string, string>>,
  refused?: ReadonlyArray<string>,
) => {
  const items: Array<Item> = []
  for (const name of ENCODING_NAMES) {
    const pairs = Object.entries({ ...LIBRARY_ITEM, ...fields })
    const response = await fixture.call('POST', '/library/', { as: 'manager', ...ENCODINGS[name](pairs) })
    const about = `${JSON.stringify(fields).slice(0, 60)} as ${name}`
    if (refused !== undefined)
      t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', about)), refused, about)
    else {
      t.equal(response.status, 200, about)
      items.push(
        ...((await response.json()) as { items: ReadonlyArray<{ item: Item }> }).items.map(
          ({ item }) => item,
        ),
      )
    }
  }
  return items
}

const BAD_COUNTS = [
  '-1',
  '-0',
  '+1',
  'x',
  '1.0',
  '1e3',
  '0x10',
  '2147483648',
  '99999999999999999999',
  ' 1',
  '1 ',
  '١',
  'null',
  'Infinity',
  'NaN',
]

type Query = Readonly<Record<string, string>>

t.test('B4: lim and offset are decimal integers up to 2147483647; leading zeros are allowed', async (t) => {
  const fixture = await start(t)
  const refused = async (contentType: string, query: Query, fields: ReadonlyArray<string>) => {
    const response = await fixture.call('GET', contentType, { as: 'user', query })
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', JSON.stringify(query))), fields)
  }
  const taken = async (contentType: string, query: Query) =>
    t.equal(
      (await fixture.call('GET', contentType, { as: 'user', query })).status,
      200,
      JSON.stringify(query),
    )
  for (const contentType of ['/library/', '/feed/']) {
    for (const lim of ['0', '00', ...BAD_COUNTS]) await refused(contentType, { lim }, ['lim'])
    for (const offset of BAD_COUNTS) await refused(contentType, { lim: '1', offset }, ['offset'])
    await refused(contentType, { lim: '0', offset: '-1', lang: 'x' }, ['lang', 'lim', 'offset'])
    for (const lim of ['1', '0001', '2147483647']) await taken(contentType, { lim })
    for (const offset of ['0', '000', '2147483647']) await taken(contentType, { lim: '1', offset })
  }
})

t.test('B4: without lim, offset is ignored, even if it is malformed', async (t) => {
  const fixture = await start(t)
  for (let made = 0; made < 5; made += 1) await newLibraryItem(fixture, { itemTitle: `Item ${made}` })
  const titles = async (query: string) => {
    const response = await fixture.call('GET', `/library/${query}`, { as: 'manager' })
    const { items } = (await response.json()) as { items: ReadonlyArray<{ item: Item }> }
    return items.map(({ item }) => item['itemTitle'])
  }
  t.same(await titles('?lim=2&offset=1'), ['Item 3', 'Item 2'])
  t.same(await titles('?lim=2&offset=5'), [], 'an offset beyond the end returns an empty collection')
  for (const offset of ['3', ...BAD_COUNTS])
    t.equal((await titles(`?offset=${encodeURIComponent(offset)}`)).length, 5, offset)
  t.equal((await titles('?lim=&offset=-1')).length, 5, 'an empty lim is absent')
  t.equal((await titles('?offset=1&offset=2')).length, 5, 'even if it is repeated')
})

t.test('B5: lang in any case, stored and returned in lower case; anything else is 400', async (t) => {
  const fixture = await start(t)
  for (const [sent, kept] of [
    ['en', 'en'],
    ['FR', 'fr'],
    ['Fr', 'fr'],
    ['eN', 'en'],
  ] as const)
    t.ok(
      (await createIn(t, fixture, { lang: sent })).every(({ lang }) => lang === kept),
      sent,
    )
  for (const lang of ['de', 'english', 'en-GB', 'fr_FR', ' en', 'e', 'ﬁ'])
    await createIn(t, fixture, { lang }, ['lang'])
  const count = async (lang: string) =>
    (
      (await (await fixture.call('GET', '/library/', { as: 'manager', query: { lang } })).json()) as {
        items: ReadonlyArray<unknown>
      }
    ).items.length
  t.same([await count('FR'), await count('fr'), await count('En')], [6, 6, 6])
  for (const path of ['/library/', '/feed/', '/library/x', '/feed/x']) {
    const response = await fixture.call('GET', path, { as: 'user', query: { lang: 'de' } })
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', path)), ['lang'])
  }
})

t.test('B6: lengths count Unicode code points, after NFC', async (t) => {
  const fixture = await start(t)
  const hundred = '\u{1F600}'.repeat(100)
  t.ok((await createIn(t, fixture, { itemTitle: hundred })).every(({ itemTitle }) => itemTitle === hundred))
  await createIn(t, fixture, { itemTitle: `${hundred}x` }, ['itemTitle'])
  t.ok(
    (await createIn(t, fixture, { itemTitle: 'e\u0301'.repeat(100) })).every(
      ({ itemTitle }) => itemTitle === 'é'.repeat(100),
    ),
  )
  const thousand = '語'.repeat(1000)
  t.ok(
    (await createIn(t, fixture, { itemDescription: thousand })).every(
      ({ itemDescription }) => itemDescription === thousand,
    ),
  )
  await createIn(t, fixture, { itemDescription: `${thousand}.` }, ['itemDescription'])
  await createIn(t, fixture, { itemTitle: 'x'.repeat(100_000) }, ['itemTitle'])
  await createIn(t, fixture, { ['x'.repeat(1000)]: 'B2: unknown' })
  t.ok(
    (await createIn(t, fixture, { itemTitle: 'x' })).every(({ itemTitle }) => itemTitle === 'x'),
    'one is enough',
  )
})

t.test('B6: blank-only text is empty; U+0000 and lone surrogates are 400', async (t) => {
  const fixture = await start(t)
  for (const blank of [' ', '\t ', '\u00A0\u2003', '\u200B', '\uFEFF'])
    await createIn(t, fixture, { itemTitle: blank, itemDescription: blank }, ['itemDescription', 'itemTitle'])
  await createIn(t, fixture, { itemTitle: 'a\u0000b' }, ['itemTitle'])
  for (const field of ['itemTitle', 'itemDescription', 'link']) {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ ...LIBRARY_ITEM, [field]: 'https://example.org/@' }).replace('@', '\\ud800')
    const response = await fixture.call('POST', '/library/', { as: 'manager', headers, body })
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', 'a lone surrogate')), [field])
  }
})

t.test('B6: status and itemType are matched exactly', async (t) => {
  const fixture = await start(t)
  const [library, feed] = [await newLibraryItem(fixture), await newFeedItem(fixture)]
  for (const status of ['live', 'LIVE', ' Live', 'Published', '0'])
    for (const [path, own] of [
      [`/library/${library}`, LIBRARY_ITEM],
      [`/feed/${feed}`, FEED_ITEM],
    ] as const) {
      const response = await fixture.call('POST', path, { as: 'manager', json: { ...own, status } })
      t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', status)), ['status'])
    }
  for (const itemType of ['Photo', 'LINK', 'video', ' link']) {
    const response = await fixture.call('POST', '/feed/', { as: 'donor', json: { ...FEED_ITEM, itemType } })
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', itemType)), ['itemType'])
    const filter = await fixture.call('GET', '/feed/', { as: 'user', query: { itemType } })
    t.same(fieldsOf(await seeProblem(t, filter, 'invalid_request', itemType)), ['itemType'])
  }
})

t.test('B7: URLs are absolute http or https, at most 2048 characters, stored as sent', async (t) => {
  const fixture = await start(t)
  for (const link of [
    'https://example.org',
    'HTTP://EXAMPLE.ORG/A',
    'https://example.org:8443/a/../b?x=%7B&y=é#z',
    'http://[2001:db8::1]/',
    `https://example.org/${'a'.repeat(2048 - 20)}`,
  ])
    t.ok(
      (await createIn(t, fixture, { link })).every((item) => item['link'] === link),
      link.slice(0, 50),
    )
  for (const link of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'ftp://example.org/',
    '//example.org/a',
    '/relative',
    'example.org',
    'https://',
    'https://user@example.org/',
    'https://user:password@example.org/',
    'https://example.org/a b',
    ' https://example.org/',
    `https://example.org/${'a'.repeat(2048 - 19)}`,
  ])
    await createIn(t, fixture, { link }, ['link'])
  const feed = await fixture.call('POST', '/feed/', {
    as: 'donor',
    json: { ...FEED_ITEM, link: 'javascript:x', vlink: 'vbscript:y' },
  })
  t.same(fieldsOf(await seeProblem(t, feed, 'invalid_request')), ['link', 'vlink'])
})

t.test('B8: dates are real calendar days', async (t) => {
  const fixture = await start(t)
  for (const day of ['2024-02-29', '1999-12-31', '2030-01-01', '1900-01-01'])
    t.ok(
      (await createIn(t, fixture, { itemPublicationDate: day })).every(
        (item) => item['itemPublicationDate'] === day,
      ),
      day,
    )
  for (const day of [
    '1899-12-31',
    '0027-02-01',
    '2023-02-30',
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '01-01-2026',
    '2026-01-01T00:00:00Z',
    'today',
  ])
    await createIn(t, fixture, { itemPublicationDate: day }, ['itemPublicationDate'])
})

t.test("B8: today is the day in the service's time zone", async (t) => {
  for (const [zone, today] of [
    ['UTC', '2026-05-01'],
    ['Pacific/Kiritimati', '2026-05-02'],
    ['Etc/GMT+12', '2026-05-01'],
  ] as const) {
    const fixture = await start(t, { policy: { timeZone: zone as TimeZone } })
    const id = await newLibraryItem(fixture)
    const { itemPublicationDate: _, ...rest } = LIBRARY_ITEM
    const response = await fixture.call('POST', `/library/${id}`, {
      as: 'manager',
      json: { ...rest, status: 'Archived' },
    })
    t.match(await response.json(), { item: { itemPublicationDate: today } }, zone)
  }
})

t.test(
  'B9: isDonorRestricted: 0 and false in any case mean public, every other value restricted',
  async (t) => {
    const fixture = await start(t)
    for (const value of ['0', 'false', 'FALSE', 'False'])
      t.ok(
        (await createIn(t, fixture, { isDonorRestricted: value })).every(
          (item) => item['isDonorRestricted'] === '0',
        ),
        value,
      )
    for (const value of ['1', 'true', '', ' ', '00', '0.0', 'no', 'off', 'null', ' false', 'faux'])
      t.ok(
        (await createIn(t, fixture, { isDonorRestricted: value })).every(
          (item) => item['isDonorRestricted'] === '1',
        ),
        `"${value}"`,
      )
    t.ok(
      (await createIn(t, fixture, {})).every((item) => item['isDonorRestricted'] === '0'),
      'omitted on create: public',
    )
    for (const [contentType, own] of [
      ['library', LIBRARY_ITEM],
      ['feed', FEED_ITEM],
    ] as const) {
      const id =
        contentType === 'library'
          ? await newLibraryItem(fixture, { isDonorRestricted: '1' })
          : await newFeedItem(fixture, { isDonorRestricted: '1' })
      const update = async (more: object) =>
        (
          (await (
            await fixture.call('POST', `/${contentType}/${id}`, {
              as: 'manager',
              json: { ...own, status: 'Draft', ...more },
            })
          ).json()) as { item: Item }
        ).item['isDonorRestricted']
      t.equal(await update({}), '1', `${contentType}: omitted on update: unchanged`)
      t.equal(await update({ isDonorRestricted: false }), '0')
      t.equal(await update({}), '0')
      t.equal(await update({ isDonorRestricted: '' }), '1')
    }
  },
)

t.test('B6: text in a form is stored as sent; invalid UTF-8 is rejected, not replaced', async (t) => {
  const fixture = await start(t)
  const create = (body: string | Uint8Array) =>
    fixture.call('POST', '/feed/', {
      as: 'donor',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  const rest = 'itemType=photo&itemDescription=x&itemTitle='
  const kept = (await (await create(`${rest}100%+caf%C3%A9+😀+%EF%BF%BD`)).json()) as { item: Item }
  t.equal(kept.item['itemTitle'], '100% café 😀 \ufffd', 'a lone percent sign, and a genuine U+FFFD')
  for (const body of [`${rest}%FF`, `${rest}%ED%A0%80`, Buffer.concat([Buffer.from(rest), Buffer.of(0xff)])])
    t.strictSame(fieldsOf(await seeProblem(t, await create(body), 'invalid_request')), ['itemTitle'])
})

t.test('B6: invalid UTF-8 in a query is rejected too, and named', async (t) => {
  const fixture = await start(t)
  const sent = '/feed/?itemType=photo&itemDescription=x&itemTitle=%ff'
  const problem = await seeProblem(t, await fixture.call('POST', sent, { as: 'donor' }), 'invalid_request')
  t.match(problem.errors, [{ field: 'itemTitle' }])
})

t.test('B1: a JSON number that cannot be represented exactly is rejected, not changed', async (t) => {
  const fixture = await start(t)
  for (const number of ['12345678901234567890', '-9007199254740993', '1e400']) {
    const body = `{"itemType":"photo","itemDescription":"x","itemTitle":${number}}`
    const headers = { 'content-type': 'application/json' }
    const answer = await fixture.call('POST', '/feed/', { as: 'donor', headers, body })
    const problem = await seeProblem(t, answer, 'invalid_request')
    t.match(problem.errors, [{ field: 'itemTitle', message: /as text/ }])
  }
})
