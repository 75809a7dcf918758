import t, { type Test } from 'tap'
import { type Fixture, type FixtureOptions, type Send, startFixture } from '../support/fixture.ts'
import { createLive, itemsIn, look } from '../support/items.ts'
import { lineAbout } from '../support/log-lines.ts'

// Responses of the fast path differ from others only in their duration.

const APP = 'https://app.example.org'

const SECURITY = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
]

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { keep: 1_000_000, ...options })
  t.teardown(fixture.stop)
  return fixture
}

/** Header fields that differ between responses, or depend on the connection. */
const OWN = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const tell = async (answer: Response) => ({
  status: answer.status,
  headers: [...answer.headers].filter(([name]) => !OWN.has(name)),
  body: await answer.text(),
})

const figureOf = async (fixture: Fixture, route: string, status: number): Promise<number> => {
  const text = await (await fixture.call('GET', '/metrics')).text()
  const labels = `method="GET",route="${route}",status="${status}"`
  return Number(new RegExp(`duration_seconds_count\\{${labels}\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

t.test('C1, C10, D2, I2: a cached response has the same header fields as the first one', async (t) => {
  const fixture = await start(t, { corsOrigins: [APP, 'https://other.example.org'] })
  const { itemId } = await createLive(fixture, 'library')
  await createLive(fixture, 'library')
  const etag = (await fixture.call('GET', `/library/${itemId}`, { as: 'user' })).headers.get('etag') ?? ''
  const asks: ReadonlyArray<readonly [string, string, Send]> = [
    ['a page that has a next one', '/library/?lim=1', {}],
    ['a page by another name', '/library?lim=1', {}],
    ['one item', `/library/${itemId}`, {}],
    ['not modified', `/library/${itemId}`, { headers: { 'if-none-match': etag } }],
    ['labels', '/library/label', {}],
    ['for a page of an app', '/library/?lim=1', { headers: { origin: APP } }],
    ['for a page of a stranger', '/library/?lim=1', { headers: { origin: 'https://evil.example.org' } }],
    ['none', '/library/?lang=fr', {}],
  ]
  const ids = new Set<string | null>()
  for (const [name, path, send] of asks) {
    const ask = () => fixture.call('GET', path, { as: 'user', ...send })
    const head = await fixture.call('HEAD', path, { as: 'user', ...send })
    const first = await tell(await ask())
    t.strictSame((await tell(head)).headers, first.headers, `${name}: HEAD has the same`)
    for (let n = 0; n < 2; n += 1) {
      const answer = await ask()
      ids.add(answer.headers.get('x-request-id'))
      t.strictSame(await tell(answer), first, name)
    }
  }
  t.equal(ids.size, 2 * asks.length, 'each has its own id')
  t.notOk(ids.has(null))
})

t.test('C10, D2: 304 responses omit the security headers, all others have them, cached or not', async (t) => {
  for (const keep of [0, 1_000_000]) {
    const fixture = await start(t, { keep })
    const { itemId } = await createLive(fixture, 'library')
    const { etag } = await look(fixture, 'library', itemId)
    const ask = async (headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fixture.call('GET', `/library/${itemId}`, { as: 'user', headers })
      return [answer.status, ...SECURITY.map((name) => answer.headers.has(name))]
    }
    for (let n = 0; n < 2; n += 1) {
      t.strictSame(
        await ask({ 'if-none-match': etag }),
        [304, ...SECURITY.map(() => false)],
        `${keep} B cache`,
      )
      t.strictSame(await ask(), [200, ...SECURITY.map(() => true)], `${keep} B cache`)
    }
  }
})

t.test('I1, I3: a cached response is logged and counted like the first one', async (t) => {
  const fixture = await start(t)
  const { itemId } = await createLive(fixture, 'library')
  const before = await figureOf(fixture, '/library/:itemId', 200)
  const etags: Array<string> = []
  for (let n = 0; n < 3; n += 1) {
    const answer = await fixture.call('GET', `/library/${itemId}`, { as: 'user' })
    etags.push(answer.headers.get('etag') ?? '')
    t.match(await lineAbout(fixture.lines, answer), {
      msg: 'answered',
      method: 'GET',
      route: '/library/:itemId',
      client: 'user',
      status: 200,
    })
  }
  const headers = { 'if-none-match': etags[0] ?? '' }
  const unchanged = await fixture.call('GET', `/library/${itemId}`, { as: 'user', headers })
  t.match(await lineAbout(fixture.lines, unchanged), { msg: 'answered', status: 304 })
  t.equal((await figureOf(fixture, '/library/:itemId', 200)) - before, 3)
  t.equal(await figureOf(fixture, '/library/:itemId', 304), 1)
  t.notOk(fixture.lines.join('').includes(itemId), 'no URL')
})

t.test('A8: the rate limit counts cached responses too', async (t) => {
  const fixture = await start(t, { rateLimit: { max: 3, milliseconds: 60_000 } })
  await fixture.token('user')
  const statuses: Array<number> = []
  for (let n = 0; n < 5; n += 1)
    statuses.push((await fixture.call('GET', '/library/?lim=1', { as: 'user' })).status)
  t.same(statuses, [200, 200, 200, 429, 429])
})

t.test('A5: a second token next to a known one is rejected', async (t) => {
  const fixture = await start(t)
  const token = await fixture.token('user')
  for (let n = 0; n < 2; n += 1) {
    t.equal((await fixture.call('GET', '/library/', { as: 'user' })).status, 200)
    t.equal((await fixture.call('GET', '/library/', { query: { access_token: token } })).status, 200)
    t.equal(
      (await fixture.call('GET', '/library/', { as: 'user', query: { access_token: token } })).status,
      400,
    )
    t.equal((await fixture.call('GET', '/library/', { headers: { authorization: 'Bearer x' } })).status, 401)
  }
})

t.test('a draining server closes the connection also after a cached response', async (t) => {
  const fixture = await start(t)
  const ask = () => fixture.call('GET', '/library/', { as: 'user' })
  t.equal((await ask()).headers.get('connection'), 'keep-alive')
  t.equal((await ask()).headers.get('connection'), 'keep-alive')
  fixture.shutdown.startDraining()
  const last = await ask()
  t.same([last.headers.get('connection'), await itemsIn(last)], ['close', []])
})
