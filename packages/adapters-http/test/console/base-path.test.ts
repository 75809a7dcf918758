import fc from 'fast-check'
import t, { type Test } from 'tap'
import { cookieNameOf } from '../../src/console/callers.ts'
import { basePathOf } from '../../src/lifecycle/connections.ts'
import { ASSETS, type ConsoleFixture, linkFor, OWN_PAGE, startConsole } from '../support/console.ts'
import { newLibraryItem } from '../support/samples.ts'

const PAGE =
  '<!doctype html><link rel="stylesheet" href="/console/assets/app.css"><script type="module" src="/console/assets/app.js"></script>'

/** What a proxy makes of a path that a browser asks for. */
const MANNERS = {
  'hands the path on': (path: string) => path,
  'takes the path off': (path: string, base: string) => path.slice(base.length) || '/',
} as const

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const start = async (t: Test, base: string) => {
  const baseUrl = `https://almoner.example.org${base}`
  const assets = { ...ASSETS, pages: { app: PAGE, signIn: PAGE } }
  const fixture = await startConsole(t.testdir(), { store: 'sqlite', baseUrl, assets })
  t.teardown(fixture.stop)
  return fixture
}

/** Asks as the proxy does for a browser, which asks below the base path. */
const throughProxy =
  (fixture: ConsoleFixture, base: string, manner: (typeof MANNERS)[keyof typeof MANNERS]): Ask =>
  (path, init) =>
    fetch(`${fixture.url}${manner(`${base}${path}`, base)}`, { redirect: 'manual', ...init })

for (const base of ['/almoner', '/a/b/c', '/caf%C3%A9&co'])
  for (const [name, manner] of Object.entries(MANNERS))
    t.test(`M13: everything is below ${base} where the proxy ${name}`, async (t) => {
      const fixture = await start(t, base)
      const ask = throughProxy(fixture, base, manner)
      const sent = await ask('/console/library?x=1')
      t.equal(sent.status, 303)
      const to = encodeURIComponent(`${base}/console/library?x=1`)
      t.equal(sent.headers.get('location'), `${base}/console/sign-in?to=${to}`)
      const page = await (await ask('/console/sign-in')).text()
      const written = base.replace('&', '&amp;')
      t.match(page, `href="${written}/console/assets/app.css"`)
      t.match(page, `src="${written}/console/assets/app.js"`)
      t.equal((await ask('/console/assets/app-1.js')).status, 200)
      t.match(await (await ask('/console/nowhere')).text(), `href="${written}/console"`)

      const opened = await ask('/console/api/sign-in/link', {
        method: 'POST',
        headers: OWN_PAGE,
        body: new URLSearchParams({ token: await linkFor(fixture, 'editor') }),
      })
      const set = opened.headers.get('set-cookie') ?? ''
      t.match(set, /^__Host-almoner-[0-9a-f]{8}=[^;]+; Path=\/; Secure/)
      const cookie = set.split(';')[0] ?? ''
      t.equal((await ask('/console', { headers: { cookie } })).status, 200)
      t.equal((await ask('/console/api/session', { headers: { cookie } })).status, 200)

      for (let n = 0; n < 3; n += 1) await newLibraryItem(fixture)
      const list = await ask('/console/api/library/?lim=2', { headers: { cookie } })
      t.match(
        list.headers.get('link'),
        `<https://almoner.example.org${base}/console/api/library/?lim=2&after=`,
      )
      t.equal((await ask('/library')).status, 401)
      t.equal((await ask('/health/live')).status, 200)
      t.equal((await ask('/openapi.json')).status, 200)
      const docs = await (await ask('/docs')).text()
      const files = [...docs.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
      t.ok(files.length > 3)
      for (const path of files) t.ok(path.startsWith(`${written}/docs/static/`), path)
      t.equal((await ask('')).status, 404)
    })

t.test('M13: only the whole path is taken off, and once', async (t) => {
  const fixture = await start(t, '/almoner')
  const statusOf = async (path: string) => (await fetch(`${fixture.url}${path}`)).status
  t.equal(await statusOf('/almoner/health/live?x'), 200)
  t.equal(await statusOf('/health/live'), 200)
  for (const path of ['/almonerx/health/live', '/almoner/almoner/health/live', '/ALMONER/health/live', '/al'])
    t.equal(await statusOf(path), 404, path)
})

t.test('M13: a path that begins as one of the service is taken off by the proxy alone', async (t) => {
  for (const base of ['/console', '/library/x', '/feed']) {
    const fixture = await start(t, base)
    const ask = throughProxy(fixture, base, MANNERS['takes the path off'])
    t.equal((await ask('/console/sign-in')).status, 200, base)
    t.equal((await ask('/health/live')).status, 200, base)
    t.match(await (await ask('/console/sign-in')).text(), `href="${base}/console/assets/app.css"`)
  }
})

t.test('M4, M13: consoles of one host have cookies of different names', async () => {
  const place = fc.record({
    host: fc.constantFrom('almoner.example.org', 'localhost'),
    port: fc.constantFrom('', ':3000', ':3001'),
    path: fc.constantFrom('', '/almoner', '/almoner/b', '/other'),
    isSecure: fc.boolean(),
  })
  const urlOf = ({ host, port, path, isSecure }: typeof place extends fc.Arbitrary<infer A> ? A : never) =>
    `http${isSecure ? 's' : ''}://${host}${port}${path}`
  fc.assert(
    fc.property(place, place, (a, b) => {
      const isSame = a.port === b.port && a.path === b.path && a.isSecure === b.isSecure
      return (cookieNameOf(urlOf(a)) === cookieNameOf(urlOf(b))) === isSame
    }),
  )
  fc.assert(fc.property(place, (one) => basePathOf(`${urlOf(one)}/`) === one.path))
})
