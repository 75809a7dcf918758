import { DEFAULT_POLICY, type Ports } from '@almoner/domain'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import {
  API_ROUTES,
  almonerPlugin,
  itemCache,
  LARGEST_HEAD,
  LONGEST_SEGMENT,
  responseCache,
} from '../../src/index.ts'
import { failingAccess, failingStores, INSIDE, type Mode } from '../support/failing.ts'
import { openBackend } from '../support/fixture.ts'
import { HOST_URL, startHost } from '../support/host.ts'
import { FEED_ITEM, filled } from '../support/samples.ts'
import { fileForm } from '../support/uploads.ts'

// The plugin inside an application with plugins, hooks, an error handler and routes of its own.

const isProblem = (t: Test, response: Response, status: number, about: string) =>
  t.match(
    [response.status, response.headers.get('content-type'), response.headers.get('api-version')],
    [status, /^application\/problem\+json/, '1'],
    about,
  )

t.test('B1, D1: form, JSON, multipart and uploads work beside the parsers of the host', async (t) => {
  const { url, as, newPost, app, seen } = await startHost(t)
  t.ok(app.hasPlugin('@almoner/adapters-http'))
  const headers = await as('donor')
  const multipart = new FormData()
  for (const [name, value] of Object.entries(FEED_ITEM)) multipart.append(name, value)
  for (const [about, init] of Object.entries({
    form: { body: new URLSearchParams(FEED_ITEM) },
    json: {
      body: JSON.stringify(FEED_ITEM),
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    },
    multipart: { body: multipart },
  })) {
    const response = await fetch(`${url}/charity/feed/`, { method: 'POST', headers, ...init })
    t.match(await response.json(), { item: { itemTitle: FEED_ITEM.itemTitle } }, about)
  }
  const path = `${url}/charity/feed/${await newPost()}/media`
  const uploaded = await fetch(path, { method: 'POST', headers, body: fileForm() })
  const { pathname } = new URL((await uploaded.json()) as string)
  const image = await fetch(`${url}${pathname}`)
  t.match(
    [image.status, image.headers.get('content-type'), image.headers.get('cross-origin-resource-policy')],
    [200, 'image/png', 'cross-origin'],
    'D2: helmet does not hide the image from other origins',
  )
  t.ok(seen.includes('POST /charity/feed/:itemId/media'), 'hooks of the host run')

  const own = await fetch(`${url}/own/upload`, {
    method: 'POST',
    body: fileForm({ bytes: Buffer.from('abc') }),
  })
  t.same(await own.json(), { bytes: 3 }, 'the host still reads its own files')
  const form = new URLSearchParams({ name: 'x' })
  t.same(await (await fetch(`${url}/own/echo`, { method: 'POST', body: form })).json(), { name: 'x' })
})

t.test('D1: a host that reads files into all bodies does not take those of the API', async (t) => {
  const { url, token, newPost } = await startHost(t, {
    multipart: {
      attachFieldsToBody: 'keyValues',
      throwFileSizeLimit: true,
      limits: { fileSize: 3, fieldSize: 3, parts: 1, headerPairs: 1, headerSize: 40 } as object,
    },
  })
  const body = fileForm()
  body.append('access_token', await token('donor'))
  const path = `${url}/charity/feed/${await newPost()}/media`
  t.equal((await fetch(path, { method: 'POST', body })).status, 200, 'nor do its limits hold (A5)')
})

t.test('a host may register multipart after the plugin, and the plugin under two prefixes', async (t) => {
  const { default: multipart } = await import('@fastify/multipart')
  const folder = t.testdir()
  const { ports, close } = await openBackend(folder, `${folder}/media`, { store: 'memory' })
  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  t.teardown(async () => {
    await app.close()
    await close()
  })
  const almoner = { ports, policy: DEFAULT_POLICY }
  for (const prefix of ['/one', '/two/'])
    await app.register(almonerPlugin, { almoner, prefix, baseUrl: HOST_URL })
  await app.register(multipart)
  for (const prefix of ['/one', '/two']) {
    t.equal((await app.inject(`${prefix}/feed/`)).statusCode, 401)
    const metadata = await app.inject(`/.well-known/oauth-authorization-server${prefix}`)
    t.equal(metadata.json<{ issuer: string }>().issuer, `${HOST_URL}${prefix}`)
  }
})

t.test('B3: every path works with and without its slash, though the host ignores none', async (t) => {
  const { app, as } = await startHost(t)
  const headers = await as('admin')
  for (const { method, path } of API_ROUTES) {
    const url = `/charity${filled(path)}`
    const other = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
    const [one, two] = [
      await app.inject({ method, url, headers }),
      await app.inject({ method, url: other, headers }),
    ]
    const { requestId: _, ...rest } = JSON.parse(one.body || '{}')
    const { requestId: __, ...same } = JSON.parse(two.body || '{}')
    t.same([two.statusCode, same], [one.statusCode, rest], `${method} ${other}`)
    if (method === 'GET')
      t.equal((await app.inject({ method: 'HEAD', url: other, headers })).statusCode, one.statusCode)
  }
  t.equal((await app.inject({ method: 'POST', url: '/charity/oauth2/get-token/' })).statusCode, 400)
})

t.test(
  'B3, I1: unknown paths and methods are problems within the prefix, and the host’s outside',
  async (t) => {
    const { url } = await startHost(t, { prepare: (app) => app.get('/*', async () => 'a page of the host') })
    for (const path of ['', '/', '/unknown', '/feed/x/y/z', '/static/media/no.png', '/openapi.json', '/docs'])
      isProblem(
        t,
        await fetch(`${url}/charity${path}`, { method: 'POST' }),
        path.startsWith('/static') ? 405 : 404,
        path,
      )
    isProblem(t, await fetch(`${url}/charity/unknown`), 404, 'though the host has a page for any path')
    isProblem(t, await fetch(`${url}/charity/feed/x`, { method: 'PUT' }), 405, 'PUT')
    t.equal(await (await fetch(`${url}/charity2`)).text(), 'a page of the host')
    const missing = await fetch(`${url}/own/none`, { method: 'POST' })
    t.same([missing.status, await missing.json()], [404, { host: 'nothing here' }])
  },
)

t.test('B3: without a prefix, the API and the host share the root', async (t) => {
  const { url, app } = await startHost(t, { plugin: { prefix: '' } })
  for (const path of ['/feed', '/feed/', '/library/x/label/', '/.well-known/oauth-authorization-server'])
    isProblem(t, await fetch(`${url}${path}`, { method: 'PUT' }), 405, path)
  isProblem(t, await fetch(`${url}/feed/x/y`), 404, 'below a path of the API')
  t.same(await (await fetch(`${url}/unknown`)).json(), { host: 'nothing here' })
  t.same(await (await fetch(`${url}/own/fault`)).json(), { host: 'of its own' })
  t.ok(Object.keys(app.swagger().paths ?? {}).includes('/feed/{itemId}'))
})

t.test('the caches work in a host, and follow its versions', async (t) => {
  let version = 0
  const { url, as, newPost } = await startHost(t, {
    plugin: {
      extensions: [itemCache(), responseCache({ bytes: 1_000_000, version: () => version })],
    },
  })
  const headers = await as('manager')
  const countPosts = async (path: string) => {
    const response = await fetch(`${url}/charity${path}`, { headers })
    return ((await response.json()) as { items: ReadonlyArray<unknown> }).items.length
  }
  t.equal(await countPosts('/feed/'), 0)
  await newPost()
  t.equal(await countPosts('/feed'), 0, 'cached, in both spellings')
  version = 1
  t.equal(await countPosts('/feed/'), 1)
})

t.test('the host answers preflight requests, and its other header fields stay', async (t) => {
  const { url, as } = await startHost(t)
  const origin = { origin: HOST_URL }
  const preflight = await fetch(`${url}/charity/feed/`, {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST' },
  })
  t.same([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, HOST_URL])
  const { headers } = await fetch(`${url}/charity/feed`, { headers: { ...origin, ...(await as('user')) } })
  t.match(
    ['access-control-allow-origin', 'vary', 'x-frame-options', 'cache-control'].map((name) =>
      headers.get(name),
    ),
    [HOST_URL, 'Origin, Authorization', 'SAMEORIGIN', 'private, no-cache'],
  )
})

t.test('B2: queries are read as the interface says with any query parser of the host', async (t) => {
  const { url, as } = await startHost(t, {
    server: {
      routerOptions: { maxParamLength: LONGEST_SEGMENT, querystringParser: () => ({ lim: '0' }) },
    },
  })
  const headers = await as('user')
  t.equal((await fetch(`${url}/charity/feed/?lim=2`, { headers })).status, 200)
  isProblem(t, await fetch(`${url}/charity/feed/?lim=2&lim=2`, { headers }), 400, 'lim twice')
})

t.test('B2: a query of more than a thousand names is rejected in a host with any query parser', async (t) => {
  const parsers = { 'its own': undefined, 'one of the host': () => ({}) }
  for (const [name, querystringParser] of Object.entries(parsers)) {
    const { url, as } = await startHost(t, {
      ...(querystringParser && {
        server: { routerOptions: { maxParamLength: LONGEST_SEGMENT, querystringParser } },
      }),
    })
    const headers = await as('user')
    for (const path of ['/charity/library/', '/charity/portfolio/organization'])
      for (const [names, status] of [
        [1000, 200],
        [1001, 400],
      ] as const) {
        const query = Array.from({ length: names }, (_, n) => `name-${n}=`).join('&')
        const response = await fetch(`${url}${path}?${query}`, { headers })
        t.equal(response.status, status, `${path}, ${names} names, ${name}`)
        if (status === 400) isProblem(t, response, 400, path)
      }
  }
})

t.test('I1: faults are logged by the host’s logger, and its onError hook sees them', async (t) => {
  let mode: Mode = 'works'
  const { url, as, lines, errors } = await startHost(t, {
    wrap: (ports) => failingAccess(() => accessMode)(failingStores(() => mode)(ports)),
  })
  let accessMode: Mode = 'works'
  const headers = await as('manager')
  const failures = async (path: string, init: RequestInit = {}) => {
    lines.length = 0
    errors.length = 0
    const response = await fetch(`${url}/charity${path}`, { headers, ...init })
    const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    return { response, logged }
  }
  const secret = 'a-secret-of-the-request'
  for (const [about, status, change] of [
    ['a bug', 500, () => (mode = 'throws')],
    ['an unavailable store', 503, () => (mode = 'unavailable')],
    ['an unknown outcome', 503, () => (mode = 'loses commits')],
    ['a store that cannot look up the caller', 503, () => (accessMode = 'unavailable')],
  ] as const) {
    mode = 'works'
    accessMode = 'works'
    change()
    const { response, logged } = await failures(`/feed/?q=${secret}`)
    isProblem(t, response, status, about)
    const { requestId } = (await response.json()) as { requestId: string }
    t.match(logged, [{ reqId: requestId, route: '/charity/feed/', err: { message: INSIDE } }], about)
    t.equal(logged.length, 1, 'once')
    t.equal(errors.length, 1, `${about} is seen by onError`)
    t.match([errors[0]?.message, (errors[0]?.cause as Error | undefined)?.message].join(), INSIDE)
    t.notMatch(lines.join(), secret, 'A5: no line has the query')
  }
  accessMode = 'unavailable'
  const form = {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'user' }),
  }
  const { response, logged } = await failures('/oauth2/get-token', form)
  t.match([response.status, await response.json()], [503, { error: 'temporarily_unavailable' }])
  t.match([logged, errors], [[{ err: { message: INSIDE } }], [{ cause: { message: INSIDE } }]], 'OAuth too')

  const { response: refused } = await failures('/feed/x', { method: 'PUT' })
  t.match([refused.status, lines.filter((line) => JSON.parse(line).level === 50), errors], [405, [], []])
  const own = await fetch(`${url}/own/fault`)
  t.same(await own.json(), { host: 'of its own' }, 'the error handler of the host serves its own routes')
})

/** A feed whose list repeats its posts until it is large, and then breaks. */
const breaking = (ports: Ports): Ports => ({
  ...ports,
  feedItems: {
    ...ports.feedItems,
    list: (query, page) => async () => {
      const listed = await ports.feedItems.list(query, page)()
      if (listed._tag === 'Left') return listed
      const batches = (async function* () {
        for await (const batch of listed.right.batches) for (let n = 0; n < 2_000; n += 1) yield batch
        throw new Error(INSIDE)
      })()
      return { _tag: 'Right', right: { batches, next: listed.right.next } }
    },
  },
})

t.test('C12, I1: a collection that breaks off is logged once with its cause', async (t) => {
  const { url, as, newPost, lines } = await startHost(t, { wrap: breaking })
  await newPost()
  const response = await fetch(`${url}/charity/feed/`, { headers: await as('manager') })
  t.equal(response.status, 200, 'the body had begun')
  await t.rejects(response.text())
  t.match(
    lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40),
    [
      { level: 50, route: '/charity/feed/', err: { message: INSIDE } },
      { level: 40, err: { message: 'the response could not be read to its end' } },
    ],
  )
})

t.test('I1: onFault takes the place of the log', async (t) => {
  const faults: Array<unknown> = []
  const { url, as, lines } = await startHost(t, {
    wrap: failingStores(() => 'throws'),
    plugin: { onFault: (cause, request) => faults.push([(cause as Error).message, request.method]) },
  })
  await fetch(`${url}/charity/feed/`, { headers: await as('user') })
  t.same(faults, [[INSIDE, 'GET']])
  t.same(
    lines.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
})

t.test('A5: the logger of the host shows patterns instead of URLs of the API', async (t) => {
  const { url, lines, token } = await startHost(t)
  const access_token = await token('userManager')
  const email = 'someone@example.org'
  await fetch(`${url}/charity/user/${email}/notification/token?access_token=${access_token}`)
  await fetch(`${url}/charity/nowhere/${email}?access_token=${access_token}`)
  await fetch(`${url}/own/none`)
  const text = lines.join()
  t.match(text, '"url":"/charity/user/:email/notification/token"')
  t.match(text, '"url":"/own/none"', 'the host logs its own URLs as before')
  t.notMatch(text, email)
  t.notMatch(text, access_token)
})

for (const openapi of ['3.0.3', '3.1.0'])
  t.test(`the host’s @fastify/swagger shows the API, as OpenAPI ${openapi}`, async (t) => {
    const { app, url, as } = await startHost(t, { openapi })
    const document = app.swagger() as unknown as {
      paths: Record<
        string,
        Record<string, { security?: unknown; parameters?: ReadonlyArray<{ name: string }> }>
      >
      components: { securitySchemes: Record<string, unknown> }
    }
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    t.same([valid, errors], [true, undefined])
    const shown = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const templates = API_ROUTES.map(
      ({ method, path }) => `${method} /charity${path.replaceAll(/:([A-Za-z]+)(\([^)]*\))?/g, '{$1}')}`,
    )
    const others = shown.filter((one) => one.includes('/charity') && !templates.includes(one)).sort()
    t.same(
      templates.filter((one) => !shown.includes(one)),
      [],
    )
    t.same(others, [
      'GET /charity/.well-known/oauth-authorization-server',
      'POST /charity/oauth2/get-token',
      'POST /charity/oauth2/revoke',
    ])
    t.ok(shown.includes('POST /own/echo'))
    const list = document.paths['/charity/feed/']?.['get']
    t.same(list?.security, [
      { 'almoner.oauth2': ['user'] },
      { 'almoner.bearer': [] },
      { 'almoner.access_token': [] },
    ])
    t.ok(list?.parameters?.some(({ name }) => name === 'lim'))
    t.match(document.components.securitySchemes, {
      'almoner.oauth2': {
        flows: { clientCredentials: { tokenUrl: `${HOST_URL}/charity/oauth2/get-token` } },
      },
    })

    const refused = await fetch(`${url}/charity/feed/`, { method: 'POST', headers: await as('donor') })
    isProblem(t, refused, 400, 'schemas do not validate')
    const { errors: fields } = (await refused.json()) as { errors: ReadonlyArray<{ field: string }> }
    t.same(fields.map(({ field }) => field).sort(), ['itemDescription', 'itemTitle', 'itemType'], 'I1')
    const own = await fetch(`${url}/own/echo`, { method: 'POST', body: new URLSearchParams({ other: 'x' }) })
    t.match(await own.json(), { host: /must have required property 'name'/ }, 'those of the host do')
  })

t.test(
  'I1: compilers of the host neither validate requests of the API nor serialize its responses',
  async (t) => {
    const { app, url, as } = await startHost(t, {
      prepare: (app) => {
        app.setValidatorCompiler(() => () => ({ error: new Error('not valid to the host') }))
        app.setSerializerCompiler(() => () => '"of the host"')
      },
    })
    t.equal((await fetch(`${url}/charity/feed/`, { headers: await as('user') })).status, 200)
    const metadata = await app.inject('/charity/.well-known/oauth-authorization-server')
    t.match(metadata.json(), { issuer: `${HOST_URL}/charity` })
  },
)

t.test('RFC 8414: the metadata names no page that the host does not have', async (t) => {
  const { url } = await startHost(t)
  for (const path of [
    '/.well-known/oauth-authorization-server/charity',
    '/charity/.well-known/oauth-authorization-server',
  ]) {
    const metadata = (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>
    t.match(metadata, {
      issuer: `${HOST_URL}/charity`,
      token_endpoint: `${HOST_URL}/charity/oauth2/get-token`,
    })
    t.notOk('service_documentation' in metadata)
  }
})

t.test('F4: registration rejects settings that are too small, by name and with the fix', async (t) => {
  const folder = t.testdir()
  const { ports, close } = await openBackend(folder, `${folder}/media`, { store: 'memory' })
  t.teardown(close)
  const almoner = { ports, policy: DEFAULT_POLICY }
  const routerOptions = { maxParamLength: LONGEST_SEGMENT }
  const http = { maxHeaderSize: LARGEST_HEAD }
  const messageOf = async (options: FastifyServerOptions): Promise<string> => {
    const app = Fastify(options)
    try {
      await app.register(almonerPlugin, { almoner, baseUrl: HOST_URL })
      return ''
    } catch (error) {
      return (error as Error).message
    } finally {
      await app.close()
    }
  }
  t.equal(await messageOf({ routerOptions, http } as FastifyServerOptions), '')
  const neither = await messageOf({})
  t.match(
    neither,
    'routerOptions.maxParamLength is 100. Use Fastify({ routerOptions: { maxParamLength: LONGEST_SEGMENT } })',
  )
  t.match(neither, 'http.maxHeaderSize is 16384. Use Fastify({ http: { maxHeaderSize: LARGEST_HEAD } })')
  t.notMatch(await messageOf({ routerOptions }), 'maxParamLength')
  t.match(
    await messageOf({ routerOptions, https: { maxHeaderSize: 1 } } as never),
    'https.maxHeaderSize is 1.',
  )
  t.equal(await messageOf({ routerOptions, http2: true } as never), '', 'HTTP/2 has no such setting')
})

t.test('registration rejects options that are missing or wrong, by name', async (t) => {
  const folder = t.testdir()
  const { ports, close } = await openBackend(folder, `${folder}/media`, { store: 'memory' })
  t.teardown(close)
  const right = { almoner: { ports, policy: DEFAULT_POLICY }, prefix: '/charity', baseUrl: `${HOST_URL}/` }
  for (const [wrong, message] of [
    [{}, ''],
    [{ almoner: undefined }, 'almonerPlugin: almoner must have ports and policy.'],
    [{ almoner: { ports } }, 'almonerPlugin: almoner must have ports and policy.'],
    [{ prefix: 'charity' }, "almonerPlugin: prefix must begin with a slash, as '/charity' does."],
    [{ baseUrl: undefined }, /^almonerPlugin: baseUrl must be the public URL of the application/],
    [{ baseUrl: 'localhost:3000' }, /baseUrl must be/],
  ] as const) {
    const app = Fastify({
      routerOptions: { maxParamLength: LONGEST_SEGMENT },
      http: { maxHeaderSize: LARGEST_HEAD },
    })
    const register = async () => app.register(almonerPlugin, { ...right, ...wrong } as typeof right)
    const outcome = await register().then(
      () => '',
      (error: Error) => error.message,
    )
    t.match(outcome, message)
    if (message === '') {
      const metadata = await app.inject('/charity/.well-known/oauth-authorization-server')
      t.match(metadata.json(), { issuer: `${HOST_URL}/charity` }, 'without the slash of the base URL')
    }
    await app.close()
  }
})
