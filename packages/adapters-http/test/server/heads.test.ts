import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { folderImageFiles } from '@almoner/adapters-media'
import t, { type Test } from 'tap'
import { linkFor, OWN_PAGE, startConsole } from '../support/console.ts'
import { type FixtureOptions, startFixture } from '../support/fixture.ts'
import { startHost } from '../support/host.ts'
import { create, look } from '../support/items.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { exchange, type RawAnswer, send } from '../support/raw.ts'
import { imagePath, PNG, upload } from '../support/uploads.ts'

// Targets, Host and the answers to heads that cannot be read (B3, RFC 9112 §3).

const APP = 'https://app.example.org'

/** How programs name the host of a target in absolute form. */
const ORIGINS: ReadonlyArray<string> = [
  'http://almoner.example.org',
  'http://almoner.example.org:80',
  'https://almoner.example.org',
  'HTTP://ALMONER.example.org:3000',
  'http://192.0.2.1:3000',
  'http://[2001:db8::1]:3000',
  'http://user:password@almoner.example.org',
  'http://other.example.org',
]

const DIFFERENT = new Set(['date', 'x-request-id'])

/** Returns an answer without what differs between any two: the metrics count each request. */
const comparable = ({ status, headers, body }: RawAnswer) => {
  const isMetrics = headers['content-type']?.startsWith('text/plain; version') ?? false
  const same = Object.entries(headers).filter(
    ([name]) => !DIFFERENT.has(name) && !(isMetrics && name === 'content-length'),
  )
  return { status, headers: same, body: isMetrics ? '' : body.replaceAll(/"requestId":"[^"]*"/g, '') }
}

/** Paths of every kind that a server has. */
const pathsOf = (image: string, itemId: string): ReadonlyArray<string> => [
  ...[image, `${image}?x=1`, '/static/media/none.png', '/metrics', '/health/live', '/health/ready'],
  ...['/library/', '/library?lim=1', `/feed/${itemId}`, '/library/label', '/nothing', '/', '//library'],
  ...['/docs', '/docs/static/index.css', '/openapi.json', '/.well-known/oauth-authorization-server'],
  ...[
    '/console',
    '/console/library?x=1',
    '/console/assets/app-1.js',
    '/console/api/session',
    '/console/none',
  ],
]

const startWithImage = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite', corsOrigins: [APP], ...options })
  t.teardown(fixture.stop)
  const { itemId } = await create(fixture, 'feed')
  await upload(fixture, imagePath('feed', itemId))
  const { item } = await look(fixture, 'feed', itemId)
  const basePath = new URL(options.baseUrl ?? 'https://almoner.example.org').pathname.replace(/\/$/, '')
  return { fixture, image: new URL(item.itemRelatedLink).pathname.slice(basePath.length), itemId }
}

for (const base of ['', '/almoner'])
  t.test(`B3: a target in absolute form means its path, below ${base || 'the root'}`, async (t) => {
    const { fixture, image, itemId } = await startWithImage(t, {
      baseUrl: `https://almoner.example.org${base}`,
    })
    const authorization = { Authorization: `Bearer ${await fixture.token('manager')}`, Origin: APP }
    const ask = async (method: string, target: string) =>
      comparable(await send(fixture.url, method, target, authorization))
    for (const path of pathsOf(image, itemId)) {
      // The first answer may fill a cache.
      await ask('GET', `${base}${path}`)
      const expected = await ask('GET', `${base}${path}`)
      for (const origin of ORIGINS)
        t.strictSame(await ask('GET', `${origin}${base}${path}`), expected, `${origin} ${path}`)
      for (const method of ['HEAD', 'OPTIONS', 'PUT']) {
        const absolute = await ask(method, `${ORIGINS[0]}${base}${path}`)
        t.strictSame(absolute, await ask(method, `${base}${path}`), `${method} ${path}`)
      }
    }
    t.equal((await ask('GET', `${ORIGINS[0]}${base}${image}`)).status, 200)
    t.strictSame(await ask('GET', 'http://almoner.example.org'), await ask('GET', '/'))
    t.strictSame(await ask('GET', 'http://almoner.example.org?lim=1'), await ask('GET', '/?lim=1'))
    t.strictSame(await ask('OPTIONS', 'http://almoner.example.org'), await ask('OPTIONS', '*'))
    const posted = await send(
      fixture.url,
      'POST',
      `http://almoner.example.org${base}/console/api/sign-in/link`,
      { ...OWN_PAGE, 'Content-Type': 'application/json' },
      JSON.stringify({ token: await linkFor(fixture, 'editor') }),
    )
    t.equal(posted.status, 200, 'a POST')
  })

t.test('B3: a target in absolute form means its path in another application', async (t) => {
  const folder = join(t.testdirName, 'images')
  const image = `/static/media/${'a'.repeat(43)}.png`
  const prepare = () => {
    mkdirSync(folder)
    writeFileSync(join(folder, basename(image)), PNG)
  }
  const { url } = await startHost(t, {
    plugin: { images: { files: folderImageFiles(folder), folder } },
    prepare,
  })
  for (const path of [image, '/library/', '/nothing', '/.well-known/oauth-authorization-server']) {
    const target = `/charity${path}`
    const expected = comparable(await send(url, 'GET', target))
    t.strictSame(comparable(await send(url, 'GET', `http://host.example.org${target}`)), expected, path)
    t.equal(expected.status === 200, path === image || path.startsWith('/.well-known'), path)
  }
})

/** Fields of Host, and whether a request with them is read. */
const HOSTS: ReadonlyArray<readonly [fields: ReadonlyArray<string>, isValid: boolean]> = [
  [['Host: almoner.example.org'], true],
  [['Host: almoner.example.org:3000'], true],
  [['Host: almoner.example.org:'], true],
  [['Host: almoner.example.org.'], true],
  [['Host: localhost'], true],
  [['Host: app_1:3000'], true],
  [['Host: 192.0.2.1'], true],
  [['Host: [2001:db8::1]'], true],
  [['Host: [2001:db8::1]:3000'], true],
  [['Host: [fe80::1%25eth0]:3000'], true],
  [['HOST:almoner.example.org  '], true],
  [['Host: xn--bcher-kva.example'], true],
  [['Host:'], true],
  [[], false],
  [['Host: a.example.org', 'Host: b.example.org'], false],
  [['Host: a.example.org', 'Host: a.example.org'], false],
  [['Host: a.example.org', 'X: y', 'hOST: b.example.org'], false],
  [['Host:', 'Host: a.example.org'], false],
  [['Host: a.example.org', 'Host:'], false],
  [['Host: a', 'Host: b', 'Host: c'], false],
  [['Host: a.example.org, b.example.org'], false],
  [['Host: a.example.org,b.example.org'], false],
  [['Host: a.example.org b.example.org'], false],
  [['Host: http://a.example.org'], false],
  [['Host: a.example.org/path'], false],
  [['Host: user@a.example.org'], false],
  [['Host: a.example.org?x'], false],
  [['Host: a.example.org#x'], false],
  [['Host: a.example.org\\b'], false],
  [['Host: a.example.org:http'], false],
  [['Host: a.example.org:80:80'], false],
  [['Host: 2001:db8::1'], false],
  [['Host: [2001:db8::1'], false],
  [['Host: 2001:db8::1]'], false],
]

t.test('RFC 9112 §3.2: a request has one Host, and a valid one', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'sqlite', corsOrigins: [APP] })
  t.teardown(fixture.stop)
  const token = await fixture.token('user')
  const library = ['/library/', [`Authorization: Bearer ${token}`, `Origin: ${APP}`]] as const
  const ask = (path: string, more: ReadonlyArray<string>, hosts: ReadonlyArray<string>, version = '1.1') =>
    exchange(
      fixture.url,
      [`GET ${path} HTTP/${version}`, ...hosts, ...more, 'Connection: close', '', ''].join('\r\n'),
    )
  // The answer to the library is cached by then.
  for (let n = 0; n < 3; n += 1) await ask(...library, ['Host: x'])
  for (const [fields, isValid] of HOSTS)
    for (const [path, more] of [
      library,
      ['/health/live', []],
      ['http://a.example.org/health/live', []],
    ] as const) {
      const about = `${JSON.stringify(fields)} ${path}`
      const answer = await ask(path, more, fields)
      if (isValid) t.equal(answer.status, 200, about)
      else t.match(await seeProblem(t, asResponse(answer), 'invalid_request', about), { detail: /Host/ })
      if (!isValid && path === '/library/') t.equal(answer.headers['access-control-allow-origin'], APP, about)
    }
  t.equal((await ask(...library, [], '1.0')).status, 200, 'HTTP/1.0 needs none')
  t.equal((await ask(...library, ['Host: a', 'Host: b'], '1.0')).status, 400, 'but has no two')
})

t.test('B3: OPTIONS * lists the methods that some path takes, with a console too', async (t) => {
  const { fixture } = await startWithImage(t)
  const answer = await send(fixture.url, 'OPTIONS', '*')
  const allowed = answer.headers['allow']?.split(', ').sort() ?? []
  t.strictSame(allowed, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
  for (const method of ['PATCH', 'TRACE', 'QUERY'])
    for (const path of ['/library/', '/console', '/console/api/session', '/console/none', '/static/media/x'])
      t.ok((await send(fixture.url, method, path)).status >= 400, `${method} ${path}`)
})

/** Heads that are too large, each with its origin somewhere. */
const TOO_LARGE: Readonly<Record<string, (origin: string) => string>> = {
  'a long target': (origin) =>
    `GET /library/?x=${'x'.repeat(90_000)} HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n\r\n`,
  'a long field after the origin': (origin) =>
    `GET /library/ HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nX: ${'x'.repeat(90_000)}\r\n\r\n`,
  'many fields': (origin) =>
    `GET /library/ HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${`X: ${'x'.repeat(100)}\r\n`.repeat(1000)}\r\n`,
}

t.test('I1: a page of an allowed origin can read why its head is too large', async (t) => {
  const other = 'capacitor://localhost'
  for (const corsOrigins of [[APP], [APP, other]]) {
    const fixture = await startFixture(t.testdir({}), { store: 'memory', corsOrigins })
    for (const [name, head] of Object.entries(TOO_LARGE))
      for (const origin of corsOrigins) {
        const answer = await exchange(fixture.url, head(origin))
        await seeProblem(t, asResponse(answer), 'headers_too_large', name)
        const allowed = answer.headers['access-control-allow-origin'] ?? ''
        t.ok(['*', origin].includes(allowed), `${name}: ${allowed}`)
        t.match(answer.headers['access-control-expose-headers'], /X-Request-Id/, name)
      }
    await fixture.stop()
  }
})

t.test('I1: without allowed origins no page can', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const [name, head] of Object.entries(TOO_LARGE)) {
    const answer = await exchange(fixture.url, head(APP))
    t.strictSame([answer.status, answer.headers['access-control-allow-origin']], [431, undefined], name)
  }
})
