import t from 'tap'
import { BASE_URL, startFixture } from '../support/fixture.ts'
import { send } from '../support/raw.ts'

/** What a page loads. */
const assetsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].flatMap(([, url]) => url ?? [])

const PAGES = ['/docs', '/docs/']

t.test('I3: the page at /docs runs only scripts of this service', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const path of PAGES) {
    const page = await fixture.call('GET', path)
    t.equal(page.status, 200)
    t.match(page.headers.get('content-type'), /^text\/html/)
    const html = await page.text()
    t.notMatch(html, /(?:https?:)?\/\/[a-z]/i, 'no URL of another site')
    t.notMatch(html, /<script(?![^>]*\bsrc=)/i, 'no script in the page itself')
    t.notMatch(html, /\son\w+=/i, 'nor in its attributes')
    const policy = page.headers.get('content-security-policy') ?? ''
    t.match(policy, /default-src 'none'/)
    t.match(policy, /script-src 'self'(;|$)/, 'scripts are those of this service')
    t.notMatch(policy, /https?:|unsafe-eval|\*/, 'nothing is loaded from other sites')
  }
})

const TYPES: Readonly<Record<string, RegExp>> = {
  js: /javascript/,
  css: /^text\/css/,
  png: /^image\/png/,
}

t.test('I3: every file that the page loads is served here, with the right type', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const path of PAGES) {
    const assets = assetsOf(await (await fixture.call('GET', path)).text())
    t.ok(assets.length >= 5, `${assets.length} assets`)
    for (const asset of assets) {
      const url = new URL(asset, `${fixture.url}${path}`)
      const response = await fetch(url)
      t.same([url.origin, response.status], [fixture.url, 200], `${path}: ${url.pathname}`)
      t.match(response.headers.get('content-type'), TYPES[asset.split('.').at(-1) ?? ''] ?? /^$/)
      t.equal(response.headers.get('x-content-type-options'), 'nosniff')
      t.ok((await response.arrayBuffer()).byteLength > 0)
    }
  }
})

t.test('I3: the page reads /openapi.json from its own origin', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const script = await (await fixture.call('GET', '/docs/static/swagger-initializer.js')).text()
  t.match(script, /validatorUrl: null/, 'no other site validates the document')
  t.notMatch(script, /https?:\/\/(?!stackoverflow)/, 'no URL of another site, except in one comment')
  const read = await fixture.call('GET', '/docs/json')
  t.equal(read.status, 200)
  const document = (await (await fixture.call('GET', '/openapi.json')).json()) as { servers: unknown }
  t.same(await read.json(), document)
  t.same(document.servers, [{ url: BASE_URL }])
})

t.test('I3: other files of the folder with the docs are not served', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const path of [
    '/docs/static/',
    '/docs/static/nothing.js',
    '/docs/package.json',
    '/docs/static/.gitkeep',
  ])
    t.equal((await fixture.call('GET', path)).status, 404, path)
})

const DOCUMENTS = ['/openapi.json', '/docs/json', '/docs/yaml']

t.test('I3: a document is rendered once, and its ETag avoids sending it again', async (t) => {
  let renderings = 0
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  // Rendering reads the whole document, with any serializer.
  const { stringify } = JSON
  JSON.stringify = ((value: { openapi?: string }, ...more: [never]) => {
    if (value?.openapi !== undefined) renderings += 1
    return stringify(value, ...more)
  }) as typeof stringify
  t.teardown(() => {
    JSON.stringify = stringify
  })
  for (const path of DOCUMENTS) {
    const first = await fixture.call('GET', path)
    const [etag, text] = [first.headers.get('etag') ?? '', await first.text()]
    t.match(etag, /^"[^"]+"$/, path)
    const again = await fixture.call('GET', path)
    t.same([again.headers.get('etag'), await again.text()], [etag, text])
    const unchanged = await send(fixture.url, 'GET', path, {
      'If-None-Match': etag,
      'Cache-Control': 'no-cache',
    })
    t.same([unchanged.status, unchanged.headers['etag'], unchanged.body], [304, etag, ''])
    const head = await fixture.call('HEAD', path)
    t.same([head.status, head.headers.get('etag'), await head.text()], [200, etag, ''])
  }
  t.equal(renderings, 1, 'one JSON text for all callers')
})

t.test('A8: the general rate limit applies to documents, by network', async (t) => {
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    rateLimit: { max: 2, milliseconds: 60_000 },
    trustProxy: ['127.0.0.1'],
  })
  t.teardown(fixture.stop)
  const status = async (path: string, from: string) =>
    (await fixture.call('GET', path, { headers: { 'x-forwarded-for': from } })).status
  t.same(
    [
      await status('/docs/yaml', '2001:db8::1'),
      await status('/openapi.json', '2001:db8::2'),
      await status('/docs/json', '2001:db8::3'),
      await status('/docs', '2001:db8::4'),
    ],
    [200, 200, 429, 429],
  )
  t.equal(await status('/docs/yaml', '2001:db8:1::1'), 200, 'another network has its own limit')
  t.equal(await status('/health/live', '2001:db8::1'), 200)
})
