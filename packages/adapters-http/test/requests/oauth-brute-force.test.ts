import { plainSecrets } from '@almoner/testkit/memory'
import t, { type Test } from 'tap'
import { type FixtureOptions, startFixture, type Who } from '../support/fixture.ts'

const PATH = '/oauth2/get-token'

interface Attempt {
  readonly id?: string
  readonly secret?: string
  readonly from?: string
}

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', trustProxy: ['127.0.0.1'], ...options })
  t.teardown(fixture.stop)
  /** One attempt; with the right secret unless another is given. */
  const attempt = ({ id = 'user', secret, from = '192.0.2.1' }: Attempt = {}): Promise<Response> =>
    fixture.call('POST', PATH, {
      headers: { 'x-forwarded-for': from },
      form: {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret ?? fixture.secrets[id as Who] ?? '',
      },
    })
  const status = async (asked?: Attempt): Promise<number> => (await attempt(asked)).status
  /** That many wrong attempts, all of which must be told so. */
  const fail = async (times: number, asked: Attempt = {}): Promise<void> => {
    for (let made = 0; made < times; made += 1)
      t.equal(await status({ secret: `wrong ${made}`, ...asked }), 401, `wrong attempt ${made + 1}`)
  }
  return { fixture, attempt, status, fail }
}

t.test('A8: after 10 invalid_client responses a pair gets 429, also with right credentials', async (t) => {
  const { fixture, attempt, status, fail } = await start(t)
  await fail(10)
  const response = await attempt()
  t.equal(response.status, 429)
  t.equal(response.headers.get('retry-after'), '60')
  t.equal(response.headers.get('cache-control'), 'no-store')
  const body = (await response.json()) as Record<string, unknown>
  t.same(Object.keys(body), ['error', 'error_description'])
  t.equal(body['error'], 'too_many_requests', 'A4: 429 here')
  t.equal(await status({ secret: 'wrong' }), 429, 'wrong ones too')

  t.equal(await status({ from: '192.0.2.2' }), 200, 'another address is not affected')
  t.equal(await status({ id: 'donor' }), 200, 'nor another client from there')

  fixture.clock.advance(59_999)
  const last = await attempt()
  t.same([last.status, last.headers.get('retry-after')], [429, '1'])
  fixture.clock.advance(1)
  t.equal(await status(), 200, 'until the minute is over')
})

t.test('A8: nine wrong credentials and a right one do not lock', async (t) => {
  const { fixture, status, fail } = await start(t)
  await fail(9)
  t.equal(await status(), 200)
  await fail(1)
  t.equal(await status(), 429, 'the tenth counts although a right one came between')
  fixture.clock.advance(60_000)
  await fail(9)
  t.equal(await status(), 200, 'counting starts again')
})

t.test('A8: the minute slides: older failures do not count', async (t) => {
  const { fixture, status, fail } = await start(t)
  await fail(5)
  fixture.clock.advance(30_000)
  await fail(4)
  fixture.clock.advance(30_000)
  await fail(5)
  t.equal(await status(), 200, 'nine in the last minute')
  await fail(1)
  t.equal(await status(), 429)
})

t.test('A8: requests during a lock do not lengthen it', async (t) => {
  const { fixture, status, fail } = await start(t)
  await fail(10)
  for (let asked = 0; asked < 20; asked += 1) {
    fixture.clock.advance(2_000)
    t.equal(await status({ secret: 'wrong' }), 429)
  }
  fixture.clock.advance(20_000)
  t.equal(await status(), 200)
})

t.test('A8: one address may fail 100 times, with any client ids', async (t) => {
  const { attempt, status, fail } = await start(t)
  for (let client = 0; client < 20; client += 1) await fail(5, { id: `nobody-${client}` })
  t.same([await status(), await status({ id: 'donor' })], [429, 429], 'right credentials of any client')
  t.ok((await attempt()).headers.get('retry-after'))
  t.equal(await status({ from: '198.51.100.7' }), 200, 'another address is not affected')
  t.equal(await status({ from: '2001:db8::1' }), 200)
})

t.test('A8: an IPv6 address counts by its first 64 bits, and ::ffff:a.b.c.d as IPv4', async (t) => {
  const { status, fail } = await start(t)
  const spellings = [
    '2001:db8:0:1::1',
    '2001:DB8::1:0:0:0:7',
    '2001:0db8:0000:0001:a:b:c:d',
    '2001:db8:0:1::192.0.2.9',
  ]
  for (let made = 0; made < 10; made += 1)
    await fail(1, { from: spellings[made % spellings.length] ?? '', secret: `wrong ${made}` })
  t.equal(await status({ from: '2001:db8:0:1:2:3:4:5' }), 429, 'another address of the network')
  t.equal(await status({ from: '2001:db8:0:2::1' }), 200, 'another network')

  await fail(5, { from: '::ffff:198.51.100.7' })
  await fail(5, { from: '198.51.100.7' })
  t.equal(await status({ from: '::ffff:c633:6407' }), 429, 'one IPv4 address in three spellings')
  t.equal(await status({ from: '::ffff:198.51.100.8' }), 200, 'another IPv4 address')
})

t.test('A8: no counter uses the client id alone', async (t) => {
  const { status } = await start(t)
  for (let address = 1; address <= 120; address += 1)
    t.equal(await status({ secret: 'wrong', from: `198.51.100.${address}` }), 401)
  t.equal(await status({ from: '192.0.2.1' }), 200, 'the client itself is accepted')
})

t.test('A8: missing credentials count as wrong ones', async (t) => {
  const { fixture, status } = await start(t)
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const form = { grant_type: 'client_credentials', client_id: 'user' }
  for (let made = 0; made < 10; made += 1)
    t.equal((await fixture.call('POST', PATH, { headers, form })).status, 401)
  t.equal(await status(), 429)
  t.equal(await status({ id: 'donor' }), 200)
})

t.test('A8: failed revocations count together with failed token requests', async (t) => {
  const { fixture, status, fail } = await start(t)
  await fail(5)
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const form = { client_id: 'user', client_secret: 'wrong', token: 'x' }
  for (let made = 0; made < 5; made += 1)
    t.equal((await fixture.call('POST', '/oauth2/revoke', { headers, form })).status, 401)
  t.equal(await status(), 429)
  const refused = await fixture.call('POST', '/oauth2/revoke', { headers, form })
  t.match([refused.status, await refused.json()], [429, { error: 'too_many_requests' }])
})

t.test('A8: concurrent attempts are limited like sequential ones', async (t) => {
  const { attempt, status } = await start(t)
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, made) => (await attempt({ secret: `wrong ${made}` })).status),
  )
  t.equal(answers.filter((answer) => answer === 401).length, 10)
  t.equal(answers.filter((answer) => answer === 429).length, 30)
  t.equal(await status(), 429)
})

t.test('A8: a header from an untrusted proxy does not hide an address', async (t) => {
  const { status } = await start(t, { trustProxy: undefined })
  for (let made = 0; made < 10; made += 1)
    t.equal(await status({ secret: 'wrong', from: `198.51.100.${made}` }), 401)
  t.equal(await status({ from: '198.51.100.200' }), 429)
})

t.test('A8: only the part of X-Forwarded-For that the proxy added counts', async (t) => {
  const { status } = await start(t)
  for (let made = 0; made < 10; made += 1)
    t.equal(await status({ secret: 'wrong', from: `203.0.113.${made}, 192.0.2.1` }), 401)
  t.equal(await status({ from: '203.0.113.99, 192.0.2.1' }), 429)
})

t.test('A8: wrong access tokens are not counted and cause no lock', async (t) => {
  const { fixture, status } = await start(t)
  const headers = { 'x-forwarded-for': '192.0.2.1', authorization: 'Bearer guessed' }
  for (let made = 0; made < 30; made += 1)
    t.equal((await fixture.call('GET', '/library/', { headers })).status, 401)
  t.equal(await status(), 200)
})

t.test('A8: an unknown client costs as much computation as a known one', async (t) => {
  const verified: Array<string> = []
  const { status } = await start(t, {
    wrap: (ports) => {
      const secrets = plainSecrets()
      return {
        ...ports,
        secrets: {
          ...ports.secrets,
          verify: (secret, hash) => {
            verified.push(secret)
            return secrets.verify(secret, hash)
          },
        },
      }
    },
  })
  await status({ id: 'nobody', secret: 'one' })
  await status({ id: 'user', secret: 'two' })
  await status({ id: 'not a client id', secret: 'three' })
  t.same(verified, ['one', 'two', 'three'])
})
