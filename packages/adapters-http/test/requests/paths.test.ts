import { METHODS } from 'node:http'
import t, { type Test } from 'tap'
import { API_ROUTES, LONGEST_SEGMENT } from '../../src/index.ts'
import { startFixture } from '../support/fixture.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { send } from '../support/raw.ts'
import {
  concretePaths,
  filled,
  leastFor,
  newFeedItem,
  newLibraryItem,
  sendingOwn,
} from '../support/samples.ts'

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')

/** The methods of each path of the API. */
const TAKEN = new Map<string, ReadonlyArray<string>>()
for (const { method, path } of API_ROUTES) {
  const key = withoutSlash(path)
  TAKEN.set(key, [...(TAKEN.get(key) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
}

/** Paths beside the API. */
const OTHERS: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ['/oauth2/get-token', ['POST']],
  ['/oauth2/revoke', ['POST']],
  ['/.well-known/oauth-authorization-server', ['GET', 'HEAD']],
  ['/openapi.json', ['GET', 'HEAD']],
  ['/docs', ['GET', 'HEAD']],
  ['/docs/static/swagger-ui.css', ['GET', 'HEAD']],
  ['/docs/static/swagger-initializer.js', ['GET', 'HEAD']],
  ['/health/live', ['GET', 'HEAD']],
  ['/health/ready', ['GET', 'HEAD']],
  ['/metrics', ['GET', 'HEAD']],
  ['/static/media/x.png', ['GET', 'HEAD']],
]

const KNOWN = [...[...TAKEN].map(([path, methods]) => [filled(path), methods] as const), ...OTHERS]

/** CONNECT names a host, not a path. */
const ALL = METHODS.filter((method) => method !== 'CONNECT')

t.test('B3: paths work with and without the trailing slash', async (t) => {
  const fixture = await start(t)
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  for (const { route, address } of concretePaths(ids)) {
    const bare = withoutSlash(address)
    const seen = []
    for (const path of [bare, `${bare}/`]) {
      if (route.operation.startsWith('detach'))
        await fixture.call('POST', path.replace(/\/water\/?$/, ''), {
          as: 'manager',
          json: { labelId: 'water' },
        })
      const as = leastFor(route)
      const response = await fixture.call(route.method, path, { as, ...sendingOwn(route) })
      const { title } = { title: '', ...((response.status >= 400 ? await response.json() : {}) as object) }
      seen.push([response.status, title])
    }
    t.same(seen[0], seen[1], `${route.method} ${bare}: ${seen[0]?.[0]}`)
  }
})

t.test('B3: a known path with a wrong method is 405 with Allow, with and without a token', async (t) => {
  const fixture = await start(t)
  const authorization = `Bearer ${await fixture.token('manager')}`
  for (const [path, taken] of KNOWN) {
    const allowed = [...taken, 'OPTIONS'].sort().join(', ')
    const answers = await Promise.all(
      ALL.filter((method) => !taken.includes(method) && method !== 'OPTIONS').flatMap((method) =>
        [path, `${path}/`].map(async (url, at) => ({
          method,
          answer: await send(fixture.url, method, url, at === 0 ? {} : { Authorization: authorization }),
        })),
      ),
    )
    for (const { method, answer } of answers) {
      const { status, headers } = answer
      const isRight = status === 405 && headers['allow']?.split(', ').sort().join(', ') === allowed
      if (!isRight) t.fail(`${method} ${path}: ${status} ${headers['allow']}`)
    }
    t.pass(`${answers.length} refusals of ${path}, which takes ${allowed}`)
    const sample = await send(fixture.url, 'PROPFIND', path)
    await seeProblem(t, asResponse(sample), 'method_not_allowed', `PROPFIND ${path}`)
  }
})

t.test('B3: 405 neither waits for a body nor parses it', async (t) => {
  const fixture = await start(t)
  const bad = { headers: { 'content-type': 'text/plain' }, body: 'x' }
  t.equal((await fixture.call('PUT', '/library/', bad)).status, 405)
  const json = { headers: { 'content-type': 'application/json' }, body: '{' }
  t.equal((await fixture.call('PATCH', '/library/x', json)).status, 405)
  t.equal((await send(fixture.url, 'PUT', '/feed/', { 'Content-Length': '1000000' })).status, 405)
})

t.test('B3: HEAD works like GET, with the same headers and no body', async (t) => {
  const fixture = await start(t)
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  const gets = concretePaths(ids).filter(({ route }) => route.method === 'GET')
  const paths = [
    ...gets.map(({ address }) => address),
    ...OTHERS.filter(([, taken]) => taken.includes('GET')).map(([path]) => path),
  ]
  for (const path of paths) {
    const [get, head] = [
      await fixture.call('GET', path, { as: 'manager' }),
      await fixture.call('HEAD', path, { as: 'manager' }),
    ]
    t.same([head.status, await head.text()], [get.status, ''], path)
    for (const name of ['content-type', 'etag', 'cache-control', 'api-version'])
      t.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`)
    if (!path.includes('metrics'))
      t.equal(head.headers.get('content-length'), get.headers.get('content-length'), path)
  }
  const refused = await fixture.call('HEAD', '/library/')
  t.same([refused.status, await refused.text()], [401, ''])
})

t.test('B3: OPTIONS works on every path and lists its methods, without a token', async (t) => {
  const fixture = await start(t)
  for (const [path, taken] of KNOWN)
    for (const url of [path, `${path}/`]) {
      const response = await fixture.call('OPTIONS', url)
      t.same(
        [response.status, response.headers.get('allow')?.split(', ').sort(), await response.text()],
        [204, [...taken, 'OPTIONS'].sort(), ''],
        url,
      )
    }
})

const UNKNOWN = [
  '/',
  '/nothing',
  '/Library/',
  '/library/a/b',
  '/library/a/media',
  '/library/a/media/other',
  '/library/a/media/coverx',
  '/library/a/media/COVER',
  '/library/a/label/b/c',
  '/feed/a/media/cover',
  '/feed/a/labels',
  '/user',
  '/user/a/b',
  '/user/a/notification',
  '/user/a/notification/tokens',
  '/user/a/notification/token/b/c',
  '/notifications',
  '/notification/a/b',
  '/notification/a/delivery/b',
  '/oauth2',
  '/oauth2/token',
  '/static/',
  '/static/portfolio/',
  '/health',
  '/docs/nothing',
  '/openapi.yaml',
  '/.well-known/',
  '/library%2F',
  '/*',
]

t.test('B3: an unknown path is 404 for any method, with or without a token', async (t) => {
  const fixture = await start(t)
  const tokens = [{}, { Authorization: `Bearer ${await fixture.token('manager')}` }]
  for (const path of UNKNOWN) {
    const ways = ALL.flatMap((method) => tokens.map((headers) => ({ method, headers })))
    const answers = await Promise.all(
      ways.map(({ method, headers }) => send(fixture.url, method, path, headers)),
    )
    t.same([...new Set(answers.map(({ status }) => status))], [404], `${answers.length} refusals of ${path}`)
    await seeProblem(t, asResponse(await send(fixture.url, 'GET', path)), 'not_found', path)
  }
})

t.test('B3: an unknown path is 404 before its body is read', async (t) => {
  const fixture = await start(t)
  for (const [headers, body] of [
    [{ 'content-type': 'text/plain' }, 'x'],
    [{ 'content-type': 'application/json' }, '{'],
    [{ 'content-type': 'nonsense' }, 'x'],
    [{ 'content-type': 'multipart/form-data' }, 'x'],
    [{ 'content-type': 'application/json' }, `"${'x'.repeat(2_000_000)}"`],
  ] as const)
    await seeProblem(
      t,
      await fixture.call('POST', '/nothing', { headers, body }),
      'not_found',
      headers['content-type'],
    )
  const waiting = await send(fixture.url, 'POST', '/nothing', {
    'Content-Type': 'text/plain',
    'Content-Length': '1000',
  })
  t.equal(waiting.status, 404)
})

t.test('B3: a path with an empty segment for a name is unknown, for any method', async (t) => {
  const fixture = await start(t)
  const headers = { Authorization: `Bearer ${await fixture.token('manager')}` }
  for (const path of [
    '//',
    '//library/',
    '/library//',
    '/library//label',
    '/library//media/cover',
    '/library/label//',
    '/library/x//',
    '/library/x/label//',
    '/feed//media',
    '/feed//label/water',
    '/feed/x//media',
    '/user//notification/token',
    '/user//notification/token/x',
    '/user/x/notification/token//',
    '/user//notification/preference',
    '/notification//',
    '/notification//delivery',
    '/oauth2//get-token',
  ])
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'PROPFIND'])
      await seeProblem(
        t,
        asResponse(await send(fixture.url, method, path, headers)),
        'not_found',
        `${method} ${path}`,
      )
})

t.test('B3: segments are decoded once, and undecodable ones are 400', async (t) => {
  const fixture = await start(t)
  const headers = { Authorization: `Bearer ${await fixture.token('manager')}` }
  for (const path of [
    '/library/%',
    '/library/%Z',
    '/library/%ZZ/label',
    '/library/%FF',
    '/library/%C3%28',
    '/library/%ED%A0%80',
    '/nothing/%ZZ',
    '/%',
  ])
    await seeProblem(t, asResponse(await send(fixture.url, 'GET', path, headers)), 'invalid_request', path)
  for (const path of [
    '/library/%2e%2e',
    '/library/%2F',
    '/library/a%2Fb',
    '/library/%20',
    '/library/%E2%82%AC',
    '/library/%252F',
    '/library/a%3Fb',
  ])
    t.same(
      await (await asResponse(await send(fixture.url, 'GET', path, headers))).json(),
      { items: [] },
      path,
    )
  const nul = await send(fixture.url, 'GET', '/library/a%00b', headers)
  await seeProblem(t, asResponse(nul), 'invalid_request', 'U+0000 (B6)')
})

t.test('B3: very long paths', async (t) => {
  const fixture = await start(t)
  const headers = { Authorization: `Bearer ${await fixture.token('manager')}` }
  const of = (length: number) => send(fixture.url, 'GET', `/library/${'a'.repeat(length)}`, headers)
  t.same(await asResponse(await of(LONGEST_SEGMENT)).json(), { items: [] })
  await seeProblem(t, asResponse(await of(LONGEST_SEGMENT + 1)), 'invalid_request', 'one more')
  await seeProblem(t, asResponse(await of(100_000)), 'headers_too_large', 'more than a request may have')
  const slashes = await send(fixture.url, 'GET', '/'.repeat(10_000), headers)
  await seeProblem(t, asResponse(slashes), 'not_found', 'ten thousand slashes')
  const query = await send(fixture.url, 'GET', `/library/?${'a=1&'.repeat(3_000)}`, headers)
  t.equal(query.status, 200, 'three thousand unknown parameters')
})

t.test('B3: an absolute URL and a fragment lead to the same path', async (t) => {
  const fixture = await start(t)
  const headers = { Authorization: `Bearer ${await fixture.token('manager')}` }
  for (const path of ['http://elsewhere.example.org/library/', '/library/#fragment', '/library?lim=1'])
    t.same(asResponse(await send(fixture.url, 'GET', path, headers)).status, 200, path)
})
