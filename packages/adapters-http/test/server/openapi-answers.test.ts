import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { samplePortfolio } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { API_ROUTES, type Route } from '../../src/index.ts'
import { WITH_BODY } from '../../src/route.ts'
import { disagreements, type Exchange } from '../support/conformity.ts'
import {
  type Document,
  operationsOf,
  readDocument,
  validatorOf,
  withoutReferences,
} from '../support/document.ts'
import { failingStores, type Mode } from '../support/failing.ts'
import { done, type Fixture, type Send, startFixture } from '../support/fixture.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import {
  filled,
  LEAST,
  leastFor,
  newFeedItem,
  newInboxEntry,
  newLibraryItem,
  newNotification,
  PARAMETERS,
  routeNamed,
  sendingOwn,
} from '../support/samples.ts'
import { watchAgreement } from '../support/watching.ts'

const document: Document = withoutReferences(readDocument())

const operationNamed = (name: string) => {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === name)
  if (found === undefined) throw new Error(name)
  return found.operation
}

/** Whether an answer is of this status. That it is as documented, like every answer of every test, is looked at by the fixture. */
const agrees = async (t: Test, name: string, response: Response, status: number) => {
  await response.text()
  t.equal(response.status, status, `${name}: ${status}`)
}

const start = async (t: Test, mode: () => Mode = () => 'works') => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: failingStores(mode) })
  t.teardown(fixture.stop)
  return fixture
}

const idsOf = async (fixture: Fixture) => ({
  library: await newLibraryItem(fixture),
  feed: await newFeedItem(fixture),
  notification: await newNotification(fixture),
})

/** The least of the test clients that a route lets in, with what the route asks for. */
const rightly = (route: Route): Send => ({ as: leastFor(route), ...sendingOwn(route) })

t.test('I3: successful responses of every route match the document', async (t) => {
  const { default: sharp } = await import('sharp')
  const image = new Uint8Array(
    await sharp({ create: { width: 400, height: 560, channels: 3, background: '#1F4E79' } })
      .png()
      .toBuffer(),
  )
  const fixture = await start(t)
  const ids = { ...(await idsOf(fixture)), inbox: await newInboxEntry(fixture) }
  const names = { token: PARAMETERS['attachToken']?.['device_token'] ?? '' }
  const seen = new Set<string>()
  const succeed = async (name: string, send: Send = {}) => {
    const route = routeNamed(name)
    const { method, path, upload } = route
    const multipart = new FormData()
    multipart.set('itemUploadMedia', new File([image], 'a.png'))
    const own = upload === undefined ? sendingOwn(route) : { multipart }
    const itemId = path.startsWith('/library') ? ids.library : ids.feed
    const named = path.startsWith('/portfolio') ? 'acme' : ids.notification
    const id = path.includes('/inbox/') ? ids.inbox : named
    const address = filled(path, {
      ...names,
      email: 'amina@example.org',
      id,
      itemId,
      labelId: 'water',
      sectorId: 'water',
    })
    const response = await fixture.call(method, address, { as: leastFor(route), ...own, ...send })
    await agrees(t, name, response, 200)
    seen.add(name)
  }
  const pages = { as: 'manager', query: { lim: '1', lang: 'en' } } as const
  for (const contentType of ['Library', 'Feed']) {
    await succeed(`create${contentType}Item`)
    await succeed(`list${contentType}Items`)
    await succeed(`list${contentType}Items`, pages)
    await succeed(`get${contentType}Item`, { as: 'manager' })
    await succeed(`get${contentType}Item`, { as: 'user' })
    await succeed(`update${contentType}Item`)
    await succeed(`list${contentType}Revisions`)
    await succeed(`list${contentType}Revisions`, pages)
    await succeed(`restore${contentType}Revision`)
    await succeed(`upload${contentType}Image`, { as: 'manager' })
    await succeed(`get${contentType}Item`, { as: 'manager' })
    await succeed(`remove${contentType}Image`)
    await succeed(`attach${contentType}Label`)
    await succeed(`list${contentType}Labels`)
    await succeed(`get${contentType}Label`)
    await succeed(`list${contentType}ItemLabels`, { as: 'manager' })
    await succeed(`detach${contentType}Label`)
  }
  const counterpartId = await newLibraryItem(fixture, { lang: 'fr' })
  await succeed('linkTranslation', { json: { counterpartId } })
  await succeed('listLibraryItems', { as: 'manager', query: { include: 'labels,translation,older' } })
  await succeed('unlinkTranslation')
  await succeed('listLibraryItems', { as: 'manager', query: { include: 'translation' } })
  await succeed('listFeedItems', { as: 'manager', query: { include: 'labels,author' } })
  for (const name of ['attachToken', 'listTokens', 'getPreference', 'setPreference', 'detachToken'])
    await succeed(name)
  await succeed('listOwnPosts')
  await succeed('listOwnPosts', { as: 'donor', query: { lim: '1', lang: 'en', include: 'images' } })
  await succeed('listInbox')
  await succeed('markSeen')
  await succeed('listInbox', { query: { lim: '1', count: 'true' } })
  await succeed('eraseUser')
  for (const include of ['labels,images', 'labels'])
    await succeed('listChanges', { as: 'manager', query: { lim: '2', include } })
  await succeed('createNotification')
  await succeed('listNotifications')
  await succeed('listNotifications', pages)
  await succeed('listNotifications', { as: 'manager', query: { include: 'counterpart' } })
  await succeed('changeNotification')
  await succeed('getDelivery', { as: 'manager', query: { include: 'seen,shortened' } })
  for (const name of ['getNotification', 'getDelivery', 'deleteNotification']) await succeed(name)
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  for (const { operation } of API_ROUTES.filter(({ tag }) => tag === 'Portfolio')) await succeed(operation)
  for (const name of ['listOrganizations', 'listPrograms', 'listChallenges']) await succeed(name, pages)
  t.same([...seen].sort(), API_ROUTES.map(({ operation }) => operation).sort(), 'every route')
})

/** Requests that a route refuses, by the status of the answer. */
const refusedBy = (route: Route): ReadonlyArray<readonly [number, Send]> => {
  const { method, path, access, parameters } = route
  const as = leastFor(route)
  const own = rightly(route)
  const odd = { as, headers: { 'content-type': 'text/plain' }, body: 'x' }
  const named = Object.keys({ ...parameters.shape.required, ...parameters.shape.optional })
  const takesBody = named.some((name) => !path.includes(`:${name}`))
  const isListed = method === 'GET' && 'lang' in parameters.shape.optional
  return [
    [401, {}],
    ...(access.scope === 'user' ? [] : [[403, { ...own, as: 'user' }] as const]),
    ...(WITH_BODY.has(method)
      ? ([
          [415, odd],
          ...(takesBody
            ? [[400, { as, json: { lang: [] }, headers: { 'idempotency-key': 'x'.repeat(256) } }] as const]
            : []),
        ] as const)
      : []),
    ...(isListed ? [[400, { as, query: { lang: 'xx' } }] as const] : []),
    ...(method === 'DELETE' ? [[404, own] as const] : []),
  ]
}

t.test('I3: responses of every route to bad requests match the document', async (t) => {
  const fixture = await start(t)
  for (const route of API_ROUTES)
    for (const [status, send] of refusedBy(route))
      await agrees(t, route.operation, await fixture.call(route.method, filled(route.path), send), status)
})

t.test('I3: responses of every route to internal errors match the document', async (t) => {
  let mode: Mode = 'works'
  const fixture = await start(t, () => mode)
  for (const as of [...Object.values(LEAST), 'userManager'] as const) await fixture.token(as)
  for (const route of API_ROUTES.filter(({ upload }) => upload === undefined)) {
    const { method, path, operation } = route
    const send = rightly(route)
    mode = 'unavailable'
    await agrees(t, operation, await fixture.call(method, filled(path), send), 503)
    mode = 'throws'
    await agrees(t, operation, await fixture.call(method, filled(path), send), 500)
  }
})

t.test('C10: a 304 is documented and has no body', async (t) => {
  const fixture = await start(t)
  const ids = await idsOf(fixture)
  for (const [name, path] of [
    ['getLibraryItem', `/library/${ids.library}`],
    ['getFeedItem', `/feed/${ids.feed}`],
  ] as const) {
    const tag = (await fixture.call('GET', path, { as: 'manager' })).headers.get('etag') ?? ''
    await agrees(
      t,
      name,
      await fixture.call('GET', path, { as: 'manager', headers: { 'if-none-match': tag } }),
      304,
    )
    await agrees(
      t,
      name,
      await fixture.call('GET', path, { as: 'manager', headers: { 'if-none-match': '"x"' } }),
      200,
    )
  }
})

t.test('A4: responses of the OAuth endpoints match the document', async (t) => {
  const fixture = await start(t)
  const own = { client_id: 'user', client_secret: fixture.secrets.user ?? '' }
  const grant = { grant_type: 'client_credentials', ...own }
  const token = (form: Readonly<Record<string, string>>) =>
    fixture.call('POST', '/oauth2/get-token', { form })
  await agrees(t, 'getToken', await token(grant), 200)
  await agrees(t, 'getToken', await token(own), 400)
  await agrees(t, 'getToken', await token({ ...grant, client_secret: 'x' }), 401)
  await agrees(
    t,
    'revokeToken',
    await fixture.call('POST', '/oauth2/revoke', { form: { ...own, token: 'x' } }),
    200,
  )
  await agrees(t, 'revokeToken', await fixture.call('POST', '/oauth2/revoke', { form: own }), 400)
  for (let made = 0; made < 10; made += 1) await token({ ...grant, client_secret: 'x' })
  await agrees(t, 'getToken', await token(grant), 429)
  await agrees(
    t,
    'getAuthorizationServerMetadata',
    await fixture.call('GET', '/.well-known/oauth-authorization-server'),
    200,
  )
})

/** Values, some of which the document forbids for each parameter. Empty ones count as absent (B2). */
const VALUES = [
  'x',
  'EN',
  'de',
  'link',
  'Live',
  '0',
  '7',
  '-1',
  '2026-05-01',
  '2026-13-01',
  'https://example.org',
  'x'.repeat(101),
  'x'.repeat(1001),
  `https://example.org/${'x'.repeat(2048)}`,
]

/** A text of the query as its schema sees it. */
const asRead = (schema: Readonly<Record<string, unknown>>, text: string): unknown =>
  schema['type'] === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text

/** The parameters that the document describes, and a way to send a value of each. */
const sendable = ({ operation }: Route) => {
  const { parameters = [], requestBody } = operationNamed(operation)
  const inBody = Object.entries(requestBody?.content['application/json']?.schema.properties ?? {})
  const own = PARAMETERS[operation] ?? {}
  return [
    ...inBody.map(([name, schema]) => ({
      name,
      schema,
      sending: (value: string): Send => ({ json: { ...own, [name]: value } }),
    })),
    ...parameters
      .filter((one) => one.in === 'query')
      .map(({ name, schema }) => ({
        name,
        schema,
        sending: (value: string): Send => ({ query: { lim: '1', [name]: value } }),
      })),
  ]
}

t.test('I3: values that the document forbids are rejected, field by field', async (t) => {
  const fixture = await start(t)
  const ids = await idsOf(fixture)
  let forbidden = 0
  for (const route of API_ROUTES.filter(({ upload }) => upload === undefined))
    for (const { name, schema, sending } of sendable(route))
      for (const value of VALUES.filter((one) => !validatorOf(schema)(asRead(schema, one)))) {
        forbidden += 1
        const itemId = route.path.startsWith('/library') ? ids.library : ids.feed
        const send = { as: leastFor(route), ...sending(value) }
        const response = await fixture.call(route.method, filled(route.path, { itemId }), send)
        const problem = await seeProblem(t, response, 'invalid_request', `${route.operation} ${name}`)
        t.ok(fieldsOf(problem).includes(name), `${route.operation} names ${name}`)
      }
  t.ok(forbidden > 100, `${forbidden} values`)
})

t.test('I3: missing required values of the document are named', async (t) => {
  const fixture = await start(t)
  for (const route of API_ROUTES.filter(({ method }) => method === 'POST')) {
    const { requestBody } = operationNamed(route.operation)
    const [content] = Object.values(requestBody?.content ?? {})
    const demanded = [...(content?.schema.required ?? [])].sort()
    if (demanded.length === 0) continue
    const response = await fixture.call('POST', filled(route.path), {
      as: LEAST[route.access.scope],
      multipart: new FormData(),
    })
    const fields = fieldsOf(await seeProblem(t, response, 'invalid_request', route.operation))
    t.same(fields, demanded, route.operation)
  }
})

/** A valid response of `GET /library/label` with some changes. */
const labelled = (over: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  target: '/library/label?labelId=a',
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'api-version': '1',
    'x-request-id': '0198c5de-9c3a-7d3e-8b43-1f2d3c4b5a69',
    ...(over.status === undefined ? { etag: '"a"' } : {}),
    ...over.headers,
  },
  body: '[]',
  ...Object.fromEntries(Object.entries(over).filter(([name]) => name !== 'headers')),
})

const PROBLEM = { 'content-type': 'application/problem+json' }

const problemBody = (status: number, code: string) =>
  JSON.stringify({ type: `urn:${code}`, title: 't', status, detail: 'd', code, requestId: randomUUID() })

t.test('the response check accepts documented responses', async (t) => {
  for (const [name, exchange] of Object.entries({
    'an answer': labelled(),
    'with a slash at the end': labelled({ target: '/library/label/' }),
    'HEAD, which has no body': labelled({ method: 'HEAD', body: '' }),
    'a problem': labelled({ status: 500, headers: PROBLEM, body: problemBody(500, 'internal_error') }),
    'an unknown path': labelled({
      target: '/nowhere',
      status: 404,
      headers: PROBLEM,
      body: problemBody(404, 'not_found'),
    }),
    'a method that the path does not take': labelled({
      method: 'PATCH',
      status: 405,
      headers: { ...PROBLEM, allow: 'GET, HEAD, OPTIONS' },
      body: problemBody(405, 'method_not_allowed'),
    }),
    OPTIONS: labelled({
      method: 'OPTIONS',
      status: 204,
      headers: { 'content-type': '', allow: 'GET, HEAD, OPTIONS' },
      body: '',
    }),
  }))
    t.same(disagreements(exchange), [], name)
})

t.test('the response check finds undocumented responses', async (t) => {
  for (const [name, exchange] of Object.entries({
    'another type of value': labelled({ body: '{}' }),
    'a member that is missing': labelled({ body: '[{"label":{"labelId":"a","en":"b"}}]' }),
    'a member too many': labelled({ body: '[{"label":{"labelId":"a","en":"b","fr":"c","de":"d"}}]' }),
    'no JSON': labelled({ body: '[' }),
    'another content type': labelled({ headers: { 'content-type': 'text/plain' } }),
    'a status that is not named': labelled({ status: 418, headers: PROBLEM, body: problemBody(418, 'x') }),
    'success by another status': labelled({ status: 201 }),
    'a code that is not in the catalogue': labelled({
      status: 500,
      headers: PROBLEM,
      body: problemBody(500, 'odd'),
    }),
    'no version': labelled({ headers: { 'api-version': '' } }),
    'another version': labelled({ headers: { 'api-version': '2' } }),
    'a header that is not named': labelled({ headers: { link: '<a>; rel="next"' } }),
    '401 without a challenge': labelled({
      status: 401,
      headers: PROBLEM,
      body: problemBody(401, 'invalid_token'),
    }),
    '503 that does not say when': labelled({
      status: 503,
      headers: PROBLEM,
      body: problemBody(503, 'unavailable'),
    }),
    'success on an unknown path': labelled({ target: '/nowhere' }),
    'an unknown image of an item': labelled({ target: '/library/a/media/other' }),
    'an unknown method': labelled({ method: 'PATCH' }),
    '405 without Allow': labelled({
      method: 'PATCH',
      status: 405,
      headers: PROBLEM,
      body: problemBody(405, 'method_not_allowed'),
    }),
  }))
    t.not(disagreements(exchange).length, 0, name)
})

t.test('the check fails a test whose server gives undocumented responses', async (t) => {
  const found: Array<string> = []
  const server = createServer((request, response) => {
    const headers = {
      'API-Version': '1',
      'X-Request-Id': randomUUID(),
      'Content-Type': 'application/json',
      ETag: '"a"',
    }
    // As the server does for what it keeps.
    response.writeHead(200, Object.entries(headers).flat())
    response.end(request.url === '/library/label' ? '[]' : '[1]')
  })
  watchAgreement(server, '', (one) => found.push(one))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  await ask('/library/label')
  t.same(found, [])
  await ask('/feed/label')
  t.match(found, ['GET /feed/label 200: body /0 must be object'])
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  fixture.app.server.prependListener('request', (_, response) =>
    response.setHeader('Link', '<a>; rel="next"'),
  )
  await fixture.call('GET', '/health/live')
  await t.rejects(fixture.stop(), /GET \/health\/live 200: header link is not documented/)
})
