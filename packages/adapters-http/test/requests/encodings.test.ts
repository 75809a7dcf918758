import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { API_ROUTES } from '../../src/index.ts'
import { WITH_BODY } from '../../src/route.ts'
import { ENCODING_NAMES, ENCODINGS, type Pairs } from '../support/encodings.ts'
import { type Fixture, type Send, startFixture } from '../support/fixture.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import {
  concretePaths,
  FEED_ITEM,
  LIBRARY_ITEM,
  leastFor,
  NOTIFICATION,
  newFeedItem,
  newInboxEntry,
  newLibraryItem,
  newNotification,
  parametersFor,
} from '../support/samples.ts'

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

/** An answer without what differs from request to request. */
const seen = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  body: (await response.text()).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'),
})

type Way = readonly [
  method: string,
  path: string,
  as: 'manager' | 'donor',
  own: Readonly<Record<string, string>>,
]

const inEach = async (fixture: Fixture, [method, path, as]: Way, pairs: Pairs) => {
  const answers = []
  for (const name of ENCODING_NAMES)
    answers.push(await seen(await fixture.call(method, path, { as, ...ENCODINGS[name](pairs) })))
  return answers
}

/** Multipart and forms write line ends as CRLF; text with lone ones would not be the same parameters. */
const text = fc.string({ unit: 'grapheme', maxLength: 120 }).filter((value) => !/[\r\n]/.test(value))
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '0',
      'false',
      'FALSE',
      '',
      '1',
      'en',
      'FR',
      'de',
      'Live',
      'Draft',
      'link',
      'photo',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'https://example.org/a?b=c&d=%20#e',
      'javascript:alert(1)',
      '2026-02-28',
      '2026-02-30',
    ),
  },
  { weight: 2, arbitrary: text },
)
const NAMES = [
  'isDonorRestricted',
  'lang',
  'itemTitle',
  'itemDescription',
  'link',
  'vlink',
  'itemType',
  'itemPublicationDate',
  'coverImgUrl',
  'notificationImgUrl',
  'status',
  'itemId',
  'labelId',
  'device_token',
  'subscribed',
  'topics',
  'date',
  'resource_type',
  'resource_id',
  'unknown',
]
const overrides = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 })
const fully = (own: Readonly<Record<string, string>>) =>
  overrides.map((some): Pairs => Object.entries({ ...own, ...some }))

t.test('B1, B10: a U+FFFD that was sent is text in every encoding', async (t) => {
  const fixture = await start(t)
  const pairs: Pairs = Object.entries({ ...LIBRARY_ITEM, itemTitle: 'Wells \ufffd' })
  const statuses = []
  for (const name of ENCODING_NAMES)
    statuses.push([
      name,
      (await fixture.call('POST', '/library/', { as: 'manager', ...ENCODINGS[name](pairs) })).status,
    ])
  t.strictSame(statuses, [
    ['json', 200],
    ['form', 200],
    ['multipart', 200],
  ])
})

t.test('B1: every POST and PUT accepts JSON, form and multipart with the same meaning', async (t) => {
  const fixture = await start(t)
  const library = await newLibraryItem(fixture)
  const french = await newLibraryItem(fixture, { lang: 'fr' })
  const feed = await newFeedItem(fixture)
  const notification = await newNotification(fixture)
  const paths = [
    ['POST', '/library/', 'manager', LIBRARY_ITEM],
    ['POST', `/library/${library}`, 'manager', { ...LIBRARY_ITEM, status: 'Draft' }],
    ['POST', '/feed/', 'donor', FEED_ITEM],
    ['POST', `/feed/${feed}`, 'manager', { ...FEED_ITEM, status: 'Draft' }],
    ['POST', `/library/${library}/label`, 'manager', { labelId: 'water' }],
    ['PUT', `/library/${library}/translation`, 'manager', { counterpartId: french }],
    ['POST', `/feed/${feed}/label`, 'manager', { labelId: 'water' }],
    ['POST', '/user/x/notification/token', 'donor', { device_token: 'fcm:a' }],
    ['PUT', '/user/x/notification/preference', 'donor', { lang: 'fr', subscribed: 'true' }],
    ['POST', '/notification', 'manager', { ...NOTIFICATION, date: '1893456000' }],
    ['POST', `/notification/${notification}`, 'manager', { title: 'Other', subtitle: '', date: '' }],
  ] satisfies ReadonlyArray<Way>
  for (const way of paths) {
    const [method, path, , own] = way
    await fc.assert(
      fc.asyncProperty(fully(own), async (pairs) => {
        const [json, ...others] = await inEach(fixture, way, pairs)
        return others.every((other) => JSON.stringify(other) === JSON.stringify(json))
      }),
      { numRuns: 40, examples: [[Object.entries(own)], [[]]] },
    )
    t.pass(`${method} ${path}`)
  }
})

t.test('B1: every POST and PUT of the route table is tested', async (t) => {
  const fixture = await start(t)
  const [library, feed] = [await newLibraryItem(fixture), await newFeedItem(fixture)]
  const inbox = await newInboxEntry(fixture)
  const ids = { library, feed, notification: await newNotification(fixture), inbox }
  const posts = concretePaths(ids).filter(({ route }) => WITH_BODY.has(route.method))
  const counterpartId = await newLibraryItem(fixture, { lang: 'fr' })
  t.equal(posts.length, 16)
  for (const { route, address } of posts) {
    const as = leastFor(route)
    for (const name of ENCODING_NAMES) {
      const pairs = Object.entries(parametersFor(route, counterpartId))
      const response = await fixture.call(route.method, address, { as, ...ENCODINGS[name](pairs) })
      if (route.upload === undefined) t.equal(response.status, 200, `${route.operation} as ${name}`)
      else
        t.same(
          fieldsOf(await seeProblem(t, response, 'invalid_request', `${route.operation} as ${name}`)),
          ['itemUploadMedia'],
          'only the file is missing',
        )
    }
  }
})

t.test('B1: JSON may send booleans and numbers where the interface has strings', async (t) => {
  const fixture = await start(t)
  const restriction = async (isDonorRestricted: unknown, body?: string) => {
    const send: Send =
      body === undefined
        ? { json: { ...FEED_ITEM, isDonorRestricted } }
        : { headers: { 'content-type': 'application/json' }, body }
    const answer = await fixture.call('POST', '/feed/', { as: 'donor', ...send })
    return ((await answer.json()) as { item: { isDonorRestricted: string } }).item.isDonorRestricted
  }
  t.equal(await restriction(false), '0')
  t.equal(await restriction(true), '1')
  t.equal(await restriction(0), '0')
  t.equal(await restriction(1), '1')
  const minusZero = JSON.stringify(FEED_ITEM).replace('{', '{"isDonorRestricted":-0,')
  t.equal(await restriction(undefined, minusZero), '0')
  const numeric = { ...FEED_ITEM, itemTitle: 2026, itemDescription: true }
  const answer = await fixture.call('POST', '/feed/', { as: 'donor', json: numeric })
  t.match(await answer.json(), { item: { itemTitle: '2026', itemDescription: 'true' } })
})

t.test('B1: other content types are 415', async (t) => {
  const fixture = await start(t)
  const body = JSON.stringify(LIBRARY_ITEM)
  for (const type of [
    'text/plain',
    'application/xml',
    'application/octet-stream',
    'application/jsonx',
    'application/json-patch+json',
    'text/json',
    'multipart/mixed; boundary=x',
    'image/png',
    'json',
    '',
  ]) {
    const response = await fixture.call('POST', '/library/', {
      as: 'manager',
      headers: { 'content-type': type },
      body,
    })
    await seeProblem(t, response, 'unsupported_media_type', `"${type}"`)
  }
  for (const { method, path, upload } of API_ROUTES.filter(({ method }) => WITH_BODY.has(method))) {
    const headers = { 'content-type': 'text/plain' }
    const response = await fixture.call(method, path.replace(/:\w+/, 'x').replace(/:image.*$/, 'cover'), {
      as: 'manager',
      headers,
      body: 'x',
    })
    await seeProblem(t, response, 'unsupported_media_type', `${path} ${upload ?? ''}`)
  }
})

t.test('B1: media types are compared without case and parameters', async (t) => {
  const fixture = await start(t)
  const json = JSON.stringify(LIBRARY_ITEM)
  const form = new URLSearchParams(LIBRARY_ITEM).toString()
  for (const [type, body] of [
    ['application/json; charset=utf-8', json],
    ['Application/JSON', json],
    ['application/json;charset=UTF-8; x=y', json],
    ['application/x-www-form-urlencoded;charset=UTF-8', form],
    ['APPLICATION/X-WWW-FORM-URLENCODED', form],
  ] as const) {
    const response = await fixture.call('POST', '/library/', {
      as: 'manager',
      headers: { 'content-type': type },
      body,
    })
    t.equal(response.status, 200, type)
  }
})

t.test('B1: a request without a body has no parameters', async (t) => {
  const fixture = await start(t)
  const expected = ['itemDescription', 'itemPublicationDate', 'itemTitle', 'link']
  for (const send of [
    {},
    { headers: { 'content-type': 'application/json' } },
    { headers: { 'content-type': 'application/json' }, body: '  \n' },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  ]) {
    const response = await fixture.call('POST', '/library/', { as: 'manager', ...send })
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', JSON.stringify(send))), expected)
  }
})

t.test('B1: an empty body with a JSON content type is accepted with DELETE', async (t) => {
  const fixture = await start(t)
  const id = await newLibraryItem(fixture)
  const label = { as: 'manager', json: { labelId: 'water' } } as const
  for (const send of [{ headers: { 'content-type': 'application/json' } }, { json: {} }, {}]) {
    t.equal((await fixture.call('POST', `/library/${id}/label`, label)).status, 200)
    const response = await fixture.call('DELETE', `/library/${id}/label/water`, { as: 'manager', ...send })
    t.same([response.status, await response.text()], [200, ''])
  }
})

t.test('B1: unreadable bodies are 400, for any caller', async (t) => {
  const fixture = await start(t)
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  const json = { 'content-type': 'application/json' }
  const part = '--x\r\nContent-Disposition: form-data; name="a"'
  const bodies: ReadonlyArray<readonly [Readonly<Record<string, string>>, string | Uint8Array]> = [
    [json, '{"itemTitle":'],
    [json, '{"itemTitle":"x"}}'],
    [json, "{'itemTitle':'x'}"],
    [json, '{"itemTitle":"x",}'],
    [json, '[]'],
    [json, '[{"itemTitle":"x"}]'],
    [json, '"text"'],
    [json, '17'],
    [json, 'NaN'],
    [json, '\u{FEFF}\u{FEFF}{}'],
    [json, Buffer.from('{"itemTitle":"\xE9"}', 'latin1')],
    [json, new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    [multipart, `${part}\r\n\r\nvalue`],
    [multipart, 'not multipart at all'],
    [{ 'content-type': 'multipart/form-data' }, `${part}\r\n\r\nv\r\n--x--\r\n`],
  ]
  for (const [headers, body] of bodies) {
    const about = String(body).slice(0, 40)
    const problem = await seeProblem(
      t,
      await fixture.call('POST', '/library/', { as: 'manager', headers, body }),
      'invalid_request',
      about,
    )
    t.same(problem.errors, [], 'there is no field to name')
    const anonymous = await fixture.call('POST', '/library/', { headers, body })
    t.equal(anonymous.status, 400, 'a token might have been in it')
  }
})

t.test('B1: the largest allowed body needs memory in proportion to its size', async (t) => {
  const fixture = await start(t)
  const headers = { 'content-type': 'application/json' }
  const call = (body: string) => fixture.call('POST', '/library/', { as: 'manager', headers, body })
  const deep = await call(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
  t.equal(fieldsOf(await seeProblem(t, deep, 'invalid_request', '20,000 deep')).length, 4)
  const arrays = await call(`{"itemTitle":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  t.ok(fieldsOf(await seeProblem(t, arrays, 'invalid_request', '60,000 deep')).includes('itemTitle'))
  await seeProblem(t, await call('['.repeat(131_000)), 'invalid_request', '131,000 open ones')
  const names = Array.from({ length: 14_000 }, (_, at) => `"${at.toString(36)}":0`)
  const many = await call(`{${names.join(',')}}`)
  t.match(await seeProblem(t, many, 'invalid_request', '14,000 names'), { detail: /too many parameters/ })
  const thousand = await call(`{${names.slice(0, 1000).join(',')}}`)
  t.equal(fieldsOf(await seeProblem(t, thousand, 'invalid_request', '1,000 are read')).length, 4)
  const form = new URLSearchParams(names.map((name): [string, string] => [name, '']))
    .toString()
    .slice(0, 131_000)
  const formed = await fixture.call('POST', '/library/', {
    as: 'manager',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  t.match(await seeProblem(t, formed, 'invalid_request', 'as a form'), { detail: /too many parameters/ })
  for (const path of ['/library/', '/health/live']) {
    const asked = await fixture.call('GET', `${path}?${form.slice(0, 20_000)}`)
    t.match(await seeProblem(t, asked, 'invalid_request', path), { detail: /too many parameters/ })
  }
  const parts = new FormData()
  for (let n = 0; n < 9; n += 1) parts.append(`field${n}`, 'x'.repeat(15_000))
  const multipart = await fixture.call('POST', '/library/', { as: 'manager', multipart: parts })
  await seeProblem(t, multipart, 'content_too_large', 'fields of a multipart body together')
  await seeProblem(t, await call(`{"a":"${'x'.repeat(131_072)}"}`), 'content_too_large', 'a byte more')
  t.equal((await fixture.call('GET', '/health/live')).status, 200, 'and it is still there')
})

t.test('B1: a compressed body is 415, because nothing is decompressed', async (t) => {
  const fixture = await start(t)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const body = gzipSync('{"itemTitle":"A"}')
  for (const path of ['/library/', '/library/x/media/cover'])
    await seeProblem(
      t,
      await fixture.call('POST', path, { as: 'manager', headers, body }),
      'unsupported_media_type',
    )
  const token = await fixture.call('POST', '/oauth2/get-token', { headers, body })
  t.same([token.status, Object(await token.json()).error], [400, 'invalid_request'], 'A4: not 415 there')
  const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' }
  const named = await fixture.call('POST', '/library/', {
    as: 'manager',
    headers: plain,
    body: '{"itemTitle":"A"}',
  })
  t.notOk(fieldsOf(await seeProblem(t, named, 'invalid_request', 'uncompressed')).includes('itemTitle'))
})
