import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { PROBLEMS, type ProblemCode } from '../../src/index.ts'
import { type Fixture, type Send, startFixture } from '../support/fixture.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'
import { exchange, send } from '../support/raw.ts'
import { FEED_ITEM, LIBRARY_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { PNG } from '../support/uploads.ts'

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    rateLimit: { max: 200, milliseconds: 3_600_000 },
  })
  t.teardown(fixture.stop)
  return fixture
}

const upload = (bytes: Uint8Array<ArrayBuffer>): Send => {
  const multipart = new FormData()
  multipart.set('itemUploadMedia', new File([bytes], 'a.png', { type: 'image/png' }))
  return { as: 'manager', multipart }
}

/** The head of a PNG, and nothing after it. */
const BROKEN_PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
])

const images = { coverImgUrl: 'https://example.org/c.png', notificationImgUrl: 'https://example.org/n.png' }

/** A request for each kind of fault that a caller can bring about. */
const makeFaults = async (fixture: Fixture): Promise<Readonly<Record<string, () => Promise<Response>>>> => {
  const id = await newLibraryItem(fixture)
  const live = await newLibraryItem(fixture)
  const update = (item: string, more: object, headers: Readonly<Record<string, string>> = {}) =>
    fixture.call('POST', `/library/${item}`, { as: 'manager', json: { ...LIBRARY_ITEM, ...more }, headers })
  await update(live, { ...images, status: 'Live' })
  const archived = await newLibraryItem(fixture)
  await update(archived, { status: 'Archived' })
  return {
    invalid_request: () => fixture.call('GET', '/library/', { as: 'user', query: { lim: 'x' } }),
    invalid_image: () => fixture.call('POST', `/library/${id}/media/cover`, upload(BROKEN_PNG)),
    invalid_token: () => fixture.call('GET', '/library/'),
    insufficient_scope: () => fixture.call('POST', '/library/', { as: 'user', json: LIBRARY_ITEM }),
    insufficient_role: () => fixture.call('DELETE', '/user/a@example.org', { as: 'donor' }),
    no_user: () => fixture.call('GET', '/user/x/notification/token', { as: 'manager' }),
    not_found: () => update('unknown', { status: 'Draft' }),
    method_not_allowed: () => fixture.call('PUT', '/library/'),
    request_timeout: async () => {
      const accepted = once(fixture.app.server, 'connection')
      const answer = exchange(fixture.url, Buffer.from('GET /library/ HTTP/1.1\r\n'))
      const [socket] = await accepted
      // Told so by Node, after a minute.
      fixture.app.server.emit('clientError', { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
      return asResponse(await answer)
    },
    illegal_move: () => update(archived, { ...images, status: 'Live' }),
    not_publishable: () => update(id, { status: 'Draft', publishAt: 1_900_000_000 }),
    has_counterpart: async () => {
      const french = await newLibraryItem(fixture, { lang: 'fr' })
      const json = { counterpartId: french }
      await fixture.call('PUT', `/library/${id}/translation`, { as: 'manager', json })
      return update(id, { status: 'Draft', lang: 'fr' })
    },
    image_needed: () => fixture.call('DELETE', `/library/${live}/media/cover`, { as: 'manager' }),
    image_gone: async () => {
      const path = `/library/${id}/media/cover`
      await fixture.call('POST', path, upload(new Uint8Array(PNG)))
      await fixture.call('DELETE', path, { as: 'manager' })
      return fixture.call('POST', `/library/${id}/history/2/restore`, { as: 'manager' })
    },
    idempotency_key_reused: async () => {
      const headers = { 'idempotency-key': 'twice' }
      await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM, headers })
      return fixture.call('POST', '/feed/', { as: 'donor', json: { ...FEED_ITEM, lang: 'fr' }, headers })
    },
    cursor_expired: async () => {
      const answer = await fixture.call('GET', '/changes', { as: 'user' })
      const { cursor: since } = (await answer.json()) as { cursor: string }
      return fixture.call('GET', '/changes', { as: 'user', query: { since, lang: 'fr' } })
    },
    precondition_failed: () => update(id, { status: 'Draft' }, { 'if-match': '"other"' }),
    content_too_large: () =>
      fixture.call('POST', '/library/', { as: 'manager', json: { a: 'x'.repeat(1_100_000) } }),
    unsupported_media_type: () =>
      fixture.call('POST', '/library/', {
        as: 'manager',
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      }),
    range_not_satisfiable: async () => {
      writeFileSync(join(fixture.mediaFolder, 'a-stored-image-of-4.png'), 'four')
      return fixture.call('GET', '/static/media/a-stored-image-of-4.png', { headers: { range: 'bytes=4-' } })
    },
    headers_too_large: async () =>
      asResponse(await send(fixture.url, 'GET', '/library/', { 'X-Long': 'x'.repeat(100_000) })),
    too_many_requests: async () => {
      for (;;) {
        const response = await fixture.call('GET', '/library/label', { as: 'userManager' })
        if (response.status !== 200) return response
      }
    },
  }
}

t.test('I1, I3: every code that a caller can cause, with the whole response', async (t) => {
  const fixture = await start(t)
  const faults = await makeFaults(fixture)
  const ours = [
    'erasure_unfinished',
    'idempotency_key_in_use',
    'internal_error',
    'outcome_unknown',
    'unavailable',
  ]
  // Those of the console and its managers are tested in console/.
  const consoles = [
    'cross_site',
    'email_unverified',
    'invalid_link',
    'invalid_session',
    'last_operator',
    'notification_started',
    'presence_required',
    'sign_in_refused',
    'sign_in_unavailable',
  ]
  t.same(
    [...Object.keys(faults), ...ours, ...consoles].sort(),
    Object.keys(PROBLEMS).sort(),
    'no code is missing',
  )
  for (const [code, bring] of Object.entries(faults)) {
    const response = await bring()
    t.equal(response.headers.get('cache-control'), 'no-store', code)
    await seeProblem(t, response, code as ProblemCode)
  }
})

t.test('I3: there are few codes, each for one status and one kind of error', async (t) => {
  const titles = Object.values(PROBLEMS).map(({ title }) => title)
  t.equal(new Set(titles).size, titles.length)
  t.ok(Object.keys(PROBLEMS).length <= 36)
  for (const [code, { status }] of Object.entries(PROBLEMS)) t.ok(status >= 400 && status < 600, code)
})

t.test(
  'I1: a 400 names every bad field of the request together, then the conditions on stored data',
  async (t) => {
    const fixture = await start(t)
    const [library, feed] = [
      await newLibraryItem(fixture),
      await newFeedItem(fixture, { itemType: 'photo', link: '' }),
    ]
    const asked: ReadonlyArray<readonly [string, 'manager' | 'donor', object, ReadonlyArray<string>]> = [
      ['/library/', 'manager', {}, ['itemDescription', 'itemPublicationDate', 'itemTitle', 'link']],
      [
        '/library/',
        'manager',
        { itemTitle: 'x'.repeat(101), itemDescription: '', link: 'x', lang: 'x', itemPublicationDate: 'x' },
        ['itemDescription', 'itemPublicationDate', 'itemTitle', 'lang', 'link'],
      ],
      [`/library/${library}`, 'manager', { status: 'Live' }, ['itemDescription', 'itemTitle', 'link']],
      [
        `/library/${library}`,
        'manager',
        { ...LIBRARY_ITEM, status: 'Live', coverImgUrl: '', notificationImgUrl: 'x' },
        ['coverImgUrl', 'notificationImgUrl'],
      ],
      [
        `/library/${library}`,
        'manager',
        { ...LIBRARY_ITEM, status: 'Live' },
        ['coverImgUrl', 'notificationImgUrl'],
      ],
      ['/feed/', 'donor', {}, ['itemDescription', 'itemTitle', 'itemType']],
      ['/feed/', 'donor', { itemType: 'link', itemTitle: 'x' }, ['itemDescription', 'link']],
      [
        '/feed/',
        'donor',
        { itemType: 'vlink', itemTitle: 'x', link: 'x' },
        ['itemDescription', 'link', 'vlink'],
      ],
      [`/feed/${feed}`, 'manager', {}, ['itemDescription', 'itemTitle', 'itemType', 'status']],
      [
        `/feed/${feed}`,
        'manager',
        { itemType: 'photo', itemTitle: 'x', status: 'Live' },
        ['itemDescription'],
      ],
      [`/library/${library}/label`, 'manager', {}, ['labelId']],
      [`/feed/${feed}/label`, 'manager', { labelId: ['a', 'b'] }, ['labelId']],
    ]
    for (const [path, as, json, fields] of asked) {
      const problem = await seeProblem(
        t,
        await fixture.call('POST', path, { as, json }),
        'invalid_request',
        path,
      )
      t.same(fieldsOf(problem), fields, `${path} ${JSON.stringify(json).slice(0, 60)}`)
      t.ok(
        (problem.errors ?? []).every(({ message }) => /^(is|must) /.test(message)),
        'each with a description',
      )
    }
  },
)

t.test('I1: a rejected image is named too, with the reason', async (t) => {
  const fixture = await start(t)
  const id = await newLibraryItem(fixture)
  const cover = `/library/${id}/media/cover`
  t.same(
    fieldsOf(
      await seeProblem(t, await fixture.call('POST', cover, { as: 'manager', json: {} }), 'invalid_request'),
    ),
    ['itemUploadMedia'],
  )
  const text = await fixture.call('POST', cover, upload(new TextEncoder().encode('no image')))
  await seeProblem(t, text, 'unsupported_media_type')
  const broken = await fixture.call('POST', cover, upload(BROKEN_PNG))
  t.same(fieldsOf(await seeProblem(t, broken, 'invalid_image')), ['itemUploadMedia'])
  const twice = new FormData()
  for (const name of ['a.png', 'b.png']) twice.append('itemUploadMedia', new File(['x'], name))
  const both = await fixture.call('POST', cover, { as: 'manager', multipart: twice })
  t.same(fieldsOf(await seeProblem(t, both, 'invalid_request')), ['itemUploadMedia'])
  const large = await fixture.call('POST', cover, upload(new Uint8Array(10_485_761)))
  await seeProblem(t, large, 'content_too_large')
})

t.test('I1: no error repeats values of the request', async (t) => {
  const fixture = await start(t)
  const mark = 'zq7-mark'
  const values = Object.fromEntries(
    [
      'itemTitle',
      'itemDescription',
      'link',
      'lang',
      'status',
      'itemType',
      'isDonorRestricted',
      'itemPublicationDate',
    ].map((name) => [name, mark.repeat(40)]),
  )
  const id = await newLibraryItem(fixture)
  for (const [method, path, more] of [
    ['POST', '/library/', { json: values }],
    ['POST', `/library/${id}`, { form: values }],
    ['POST', '/feed/', { json: { ...FEED_ITEM, ...values } }],
    ['GET', '/library/', { query: { lim: mark, offset: mark, after: mark, lang: mark } }],
    ['GET', '/feed/', { query: { lim: mark, itemType: mark, after: `${mark}~${mark}` } }],
    ['POST', `/library/${mark}`, { json: { ...LIBRARY_ITEM, status: 'Draft' } }],
    ['POST', `/library/${id}/label`, { json: { labelId: mark } }],
    ['DELETE', `/library/${id}/label/${mark}`, {}],
    ['GET', `/${mark}`, {}],
    [mark.toUpperCase(), '/library/', {}],
    ['POST', '/library/', { headers: { 'content-type': mark }, body: mark }],
    ['POST', '/library/', { headers: { 'content-type': 'application/json' }, body: `{"a":${mark}` }],
    [
      'POST',
      `/library/${id}`,
      { json: { ...LIBRARY_ITEM, status: 'Draft' }, headers: { 'if-match': `"${mark}"` } },
    ],
  ] as const) {
    const response = await (method === mark.toUpperCase()
      ? send(fixture.url, method, path).then(asResponse)
      : fixture.call(method, path, { as: 'manager', ...more }))
    t.ok(response.status >= 400, `${method} ${path}: ${response.status}`)
    t.notMatch(await response.text(), new RegExp(mark, 'i'))
  }
})

t.test('I1: broken HTTP gets a problem as well', async (t) => {
  const fixture = await start(t)
  for (const bytes of [
    'garbage\r\n\r\n',
    'GET /library/ HTTP/9.9\r\n\r\n',
    '\u0000\u0001\u0002\u0003\r\n\r\n',
  ])
    await seeProblem(
      t,
      asResponse(await exchange(fixture.url, bytes)),
      'invalid_request',
      JSON.stringify(bytes),
    )
})
