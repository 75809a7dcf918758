import { DEFAULT_POLICY } from '@almoner/domain'
import Fastify from 'fastify'
import t from 'tap'
import { almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '../../src/index.ts'
import { type ConsoleFixture, enter, startConsole } from '../support/console.ts'
import { startFixture } from '../support/fixture.ts'

/** How proxies write the address and port of a sender. */
const FORMS: Readonly<Record<string, (address: string, port: number) => string>> = {
  'address:port, as Azure': (address, port) => `${address}:${port}`,
  '[address]:port': (address, port) => `[${address}]:${port}`,
  'in quotes': (address, port) => `"${address}:${port}"`,
  'mapped into IPv6': (address, port) => `[::ffff:${address}]:${port}`,
  'with blanks and empty elements': (address, port) => ` , ${address}:${port} ,`,
}

const TRUSTED = ['127.0.0.1', '10.0.0.0/8']

const GUESS = { grant_type: 'client_credentials', client_id: 'user', client_secret: 'wrong' }

/** The ways to guess a secret, by the value of X-Forwarded-For. */
const WAYS: Readonly<Record<string, (fixture: ConsoleFixture) => (forwarded: string) => Promise<Response>>> =
  {
    'the token endpoint': (fixture) => (forwarded) =>
      fixture.call('POST', '/oauth2/get-token', { headers: { 'x-forwarded-for': forwarded }, form: GUESS }),
    'the sign-in of the console': (fixture) => (forwarded) =>
      enter(fixture, 'guess', { 'x-forwarded-for': forwarded }),
  }

for (const [way, guessOf] of Object.entries(WAYS))
  t.test(`A8: guesses count by the address of the client, however proxies write it, ${way}`, async (t) => {
    const fixture = await startConsole(t.testdir(), { trustProxy: TRUSTED })
    t.teardown(fixture.stop)
    const guess = guessOf(fixture)
    const status = async (forwarded: string) => (await guess(forwarded)).status
    /** Checks that ten guesses lock, and returns the status of another sender. */
    const lock = async (name: string, forwarded: (n: number) => string) => {
      fixture.clock.advance(60_000)
      for (let n = 0; n < 10; n += 1) t.equal(await status(forwarded(n)), 401, `${name}, guess ${n}`)
      t.equal(await status(forwarded(10)), 429, name)
    }
    for (const [name, form] of Object.entries(FORMS)) {
      await lock(name, (n) => form('192.0.2.1', 50_000 + n))
      t.equal(await status('192.0.2.1'), 429, `${name}, without a port`)
      t.equal(await status(form('192.0.2.2', 50_000)), 401, `${name}, another client`)

      await lock(`${name}, behind a trusted hop`, (n) => `${form('192.0.2.1', n)}, ${form('10.1.2.3', n)}`)
      t.equal(await status(`${form('192.0.2.2', 1)}, ${form('10.1.2.3', 1)}`), 401, `${name}, another`)
      t.equal(await status('10.1.2.3'), 401, `${name}, the hop itself`)

      await lock(
        `${name}, after one that a client has made up`,
        (n) => `203.0.113.${n}, ${form('192.0.2.1', n)}`,
      )
    }
    await lock('a proxy that hides its clients', (n) => `192.0.2.1, unknown-${n}, 10.0.0.7:443`)
    t.equal(await status('192.0.2.2, _hidden, 10.0.0.7'), 429, 'the proxy is the sender')
    t.equal(await status('192.0.2.2, 10.0.0.7'), 401, 'a client that the proxy names')
  })

t.test('A8: without a trusted proxy the field counts for nothing', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', trustProxy: undefined })
  t.teardown(fixture.stop)
  const guess = async (forwarded: string) =>
    (
      await fixture.call('POST', '/oauth2/get-token', {
        headers: { 'x-forwarded-for': forwarded },
        form: GUESS,
      })
    ).status
  for (let n = 0; n < 10; n += 1) t.equal(await guess(`192.0.2.${n}:4711`), 401)
  t.equal(await guess('192.0.2.200:4711'), 429)
})

t.test('A8: the same in an application around the API, which trusts its own proxies', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const app = Fastify({
    trustProxy: TRUSTED,
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  const almoner = { ports: fixture.ports, policy: DEFAULT_POLICY }
  await app.register(almonerPlugin, { almoner, baseUrl: 'https://host.example.org' })
  t.teardown(async () => {
    await app.close()
    await fixture.stop()
  })
  const guess = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded }
    return (await app.inject({ method: 'POST', url: '/oauth2/get-token', headers, payload: GUESS }))
      .statusCode
  }
  for (let n = 0; n < 10; n += 1) t.equal(await guess(`192.0.2.1:${n}, 10.0.0.5:${n}`), 401)
  t.equal(await guess('192.0.2.1:11, 10.0.0.5:11'), 429)
  t.equal(await guess('192.0.2.2:11, 10.0.0.5:11'), 401, 'another client')
})
