import t, { type Test } from 'tap'
import { failingStores, type Mode } from '../support/failing.ts'
import { type Fixture, type FixtureOptions, startFixture } from '../support/fixture.ts'
import { asResponse } from '../support/problems.ts'
import { exchange, send } from '../support/raw.ts'
import { FEED_ITEM, LIBRARY_ITEM, newLibraryItem } from '../support/samples.ts'

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', ...options })
  t.teardown(fixture.stop)
  return fixture
}

const APP = 'https://app.example.org'

/** One answer of each kind that the server gives. */
const answersOf = async (
  fixture: Fixture,
  fail: (mode: Mode) => void,
): Promise<Readonly<Record<string, Response>>> => {
  const id = await newLibraryItem(fixture)
  const raw = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    asResponse(await send(fixture.url, method, path, headers))
  const tagged = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
  const all: Record<string, Response> = {
    'a collection': await fixture.call('GET', '/library/', { as: 'user' }),
    'an item': tagged,
    'not modified': await fixture.call('GET', `/library/${id}`, {
      as: 'manager',
      headers: { 'if-none-match': tagged.headers.get('etag') ?? '' },
    }),
    'a created item': await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM }),
    'a bad request': await fixture.call('POST', '/library/', { as: 'manager', json: {} }),
    'no token': await fixture.call('GET', '/library/'),
    'too little scope': await fixture.call('POST', '/library/', { as: 'user', json: LIBRARY_ITEM }),
    'an unknown item': await fixture.call('POST', '/library/x/label', {
      as: 'manager',
      json: { labelId: 'water' },
    }),
    'an unknown path': await fixture.call('GET', '/nothing'),
    'a wrong method': await fixture.call('PUT', '/library/'),
    'a method of its own': await raw('PROPFIND', '/library/'),
    options: await fixture.call('OPTIONS', '/library/'),
    head: await fixture.call('HEAD', '/library/', { as: 'user' }),
    'a body of another type': await fixture.call('POST', '/library/', {
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    }),
    'a token': await fixture.call('POST', '/oauth2/get-token', {
      form: {
        grant_type: 'client_credentials',
        client_id: 'user',
        client_secret: fixture.secrets.user ?? '',
      },
    }),
    'an OAuth error': await fixture.call('POST', '/oauth2/get-token', { form: {} }),
    metadata: await fixture.call('GET', '/.well-known/oauth-authorization-server'),
    'the document': await fixture.call('GET', '/openapi.json'),
    docs: await fixture.call('GET', '/docs'),
    'an asset of the docs': await fixture.call('GET', '/docs/static/swagger-ui.css'),
    live: await fixture.call('GET', '/health/live'),
    ready: await fixture.call('GET', '/health/ready'),
    figures: await fixture.call('GET', '/metrics'),
    'an unknown image': await fixture.call('GET', '/static/media/x.png'),
    'a path that does not decode': await raw('GET', '/library/%ZZ'),
    'a path that is too long': await raw('GET', `/library/${'a'.repeat(60_000)}`),
    'no HTTP': asResponse(await exchange(fixture.url, 'nonsense\r\n\r\n')),
    'header fields beyond the limit': await raw('GET', '/', { 'X-Long': 'x'.repeat(100_000) }),
    'no host': asResponse(await exchange(fixture.url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')),
  }
  fail('throws')
  all['a fault of ours'] = await fixture.call('GET', '/library/', { as: 'user' })
  fail('unavailable')
  all['a store that is busy'] = await fixture.call('GET', '/library/', { as: 'user' })
  fail('works')
  return all
}

t.test('I2, D2: every response has API-Version, a request id and the security headers', async (t) => {
  let mode: Mode = 'works'
  const fixture = await start(t, { wrap: failingStores(() => mode) })
  const answers = await answersOf(fixture, (next) => {
    mode = next
  })
  const ids = new Set<string | null>()
  for (const [about, { headers, status }] of Object.entries(answers)) {
    ids.add(headers.get('x-request-id'))
    t.equal(headers.get('api-version'), '1', `${about}: API-Version`)
    t.match(headers.get('x-request-id'), /^[0-9a-f-]{36}$/, `${about}: X-Request-Id`)
    t.equal(headers.get('x-powered-by'), null, `${about}: no server name`)
    t.equal(headers.get('access-control-allow-origin'), null, `${about}: no other origin by default`)
    if (status === 304) continue
    t.equal(headers.get('x-content-type-options'), 'nosniff', `${about}: nosniff`)
    t.match(
      headers.get('content-security-policy'),
      /default-src 'none'.*frame-ancestors 'none'/,
      `${about}: nothing is loaded or framed`,
    )
    t.match(headers.get('referrer-policy'), /no-referrer/, `${about}: no referrer`)
  }
  t.equal(ids.size, Object.keys(answers).length, 'each has its own id')
})

t.test('I1: the service creates the request id and ignores the caller’s', async (t) => {
  const fixture = await start(t)
  const response = await fixture.call('GET', '/nothing', {
    headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
  })
  t.match(response.headers.get('x-request-id'), /^[0-9a-f-]{36}$/)
})

t.test('A5: responses for a caller are not cached by proxies', async (t) => {
  const fixture = await start(t)
  const id = await newLibraryItem(fixture)
  for (const path of ['/library/', `/library/${id}`, '/library/label', '/feed/']) {
    const { headers } = await fixture.call('GET', path, { as: 'manager' })
    t.same([headers.get('cache-control'), headers.get('vary')], ['private, no-cache', 'Authorization'], path)
  }
})

t.test('interface 5: pages of other origins may not call unless they are configured', async (t) => {
  const closed = await start(t)
  const preflight = {
    origin: APP,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  }
  const asked = await closed.call('OPTIONS', '/library/', { headers: preflight })
  t.same([asked.status, asked.headers.get('access-control-allow-origin')], [204, null])
  t.equal(asked.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')

  const open = await start(t, { corsOrigins: [APP, 'https://other.example.org'] })
  for (const origin of [
    'https://evil.example.org',
    'https://app.example.org.evil.example',
    'http://app.example.org',
    'null',
    'capacitor://localhost',
    `${APP}:8443`,
  ]) {
    const response = await open.call('GET', '/library/', { as: 'user', headers: { origin } })
    t.same([response.status, response.headers.get('access-control-allow-origin')], [200, null], origin)
    const refused = await open.call('OPTIONS', '/library/', { headers: { ...preflight, origin } })
    t.equal(refused.headers.get('access-control-allow-origin'), null, origin)
  }
})

/** Origins of pages and of apps. */
const ALLOWED = [
  APP,
  'https://other.example.org',
  'capacitor://localhost',
  'ionic://localhost:8100',
  'app://.',
]

t.test('interface 5, J6: a configured origin may call, and sees the headers it needs', async (t) => {
  const fixture = await start(t, { corsOrigins: ALLOWED })
  for (const origin of ALLOWED) {
    const response = await fixture.call('GET', '/library/', { as: 'user', headers: { origin } })
    t.equal(response.headers.get('access-control-allow-origin'), origin)
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ') ?? []
    const named = ['API-Version', 'ETag', 'Idempotency-Replayed', 'Link', 'Retry-After', 'WWW-Authenticate']
    for (const name of [...named, 'X-Request-Id', 'X-Total-Count']) t.ok(exposed.includes(name), name)
    t.same(response.headers.get('vary')?.split(', ').sort(), ['Authorization', 'Origin'], 'Vary names Origin')
    t.equal(response.headers.get('access-control-allow-credentials'), null, 'no cookies are allowed')
  }
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['GET', '/library/'],
    ['PUT', '/library/'],
  ] as const) {
    const refused = await fixture.call(method, path, { headers: { origin: APP } })
    t.equal(
      refused.headers.get('access-control-allow-origin'),
      APP,
      `a page can read the error: ${refused.status}`,
    )
  }
})

t.test('B3: a preflight works on every API path, and so does OPTIONS without one', async (t) => {
  const fixture = await start(t, { corsOrigins: [APP] })
  for (const [path, method] of [
    ['/library/', 'POST'],
    ['/library/x', 'GET'],
    ['/library/x/label/water', 'DELETE'],
    ['/library/x/media/cover', 'DELETE'],
    ['/feed/x/media', 'POST'],
    ['/user/x/notification/preference', 'PUT'],
    ['/user/x/notification/token/y', 'DELETE'],
    ['/notification/x/delivery', 'GET'],
    ['/oauth2/get-token', 'POST'],
  ] as const) {
    const headers = {
      origin: APP,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type, if-match',
    }
    const response = await fixture.call('OPTIONS', path, { headers })
    t.equal(response.status, 204, `${method} ${path}`)
    t.equal(response.headers.get('access-control-allow-origin'), APP)
    t.ok(
      response.headers.get('access-control-allow-methods')?.split(', ').includes(method),
      'the method is allowed',
    )
    t.equal(response.headers.get('access-control-allow-headers'), headers['access-control-request-headers'])
    t.ok(response.headers.get('allow')?.split(', ').includes(method), 'Allow is there as well')
    const plain = await fixture.call('OPTIONS', path)
    t.same([plain.status, plain.headers.get('allow')], [204, response.headers.get('allow')])
  }
  const unknown = await fixture.call('OPTIONS', '/nothing', {
    headers: { origin: APP, 'access-control-request-method': 'GET' },
  })
  t.equal(unknown.status, 404, 'an unknown path stays 404')
  t.equal((await fixture.call('OPTIONS', '/nothing')).status, 404)
})
