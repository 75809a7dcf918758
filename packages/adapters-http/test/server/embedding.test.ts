import { relative } from 'node:path'
import { folderImageFiles } from '@almoner/adapters-media'
import { DEFAULT_POLICY } from '@almoner/domain'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { type AlmonerPluginOptions, almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '../../src/index.ts'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { FEED_ITEM, newLibraryItem } from '../support/samples.ts'

/** Another application with the API under a prefix, and another route. */
const hostOf = async (
  fixture: Fixture,
  more: Partial<AlmonerPluginOptions> = {},
  prepare: (app: FastifyInstance) => unknown = () => undefined,
) => {
  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  prepare(app)
  app.get('/own', async () => ({ own: true }))
  const policy = { ...DEFAULT_POLICY, tokenTtl: 60 }
  const almoner = { ports: fixture.ports, policy }
  await app.register(almonerPlugin, {
    almoner,
    prefix: '/almoner',
    baseUrl: 'https://host.example.org',
    ...more,
  })
  return app
}

t.test('C10: a 304 keeps the security headers of the application around the API', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const own = (app: FastifyInstance) =>
    app.addHook('onRequest', (_, reply, done) => {
      reply.header('referrer-policy', 'same-origin')
      done()
    })
  const app = await hostOf(fixture, {}, own)
  t.teardown(async () => {
    await app.close()
    await fixture.stop()
  })
  const url = `/almoner/library/${await newLibraryItem(fixture)}`
  const headers = { authorization: `Bearer ${await fixture.token('manager')}` }
  const { headers: known } = await app.inject({ url, headers })
  const again = await app.inject({ url, headers: { ...headers, 'if-none-match': String(known['etag']) } })
  t.same([again.statusCode, again.headers['referrer-policy']], [304, 'same-origin'])
})

t.test('A5: a hook that delays responses does not let rejected requests continue', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const errors: Array<string> = []
  const app = await hostOf(fixture, {}, (host) => {
    host.addHook('onSend', async (_request, _reply, payload) => {
      await new Promise((resolve) => setImmediate(resolve))
      return payload
    })
    host.addHook('onError', async (_request, _reply, error) => {
      errors.push(error.message)
    })
  })
  t.teardown(async () => {
    await app.close()
    await fixture.stop()
  })
  const headers = { authorization: `Bearer ${await fixture.token('user')}` }
  const statuses = []
  for (const send of [
    { url: '/almoner/library/' },
    { url: '/almoner/library/', headers: { authorization: 'Bearer unknown' } },
    { method: 'POST' as const, url: '/almoner/library/', headers, payload: {} },
    { method: 'POST' as const, url: '/almoner/library/', payload: { access_token: 'unknown' } },
  ])
    statuses.push((await app.inject(send)).statusCode)
  t.same(statuses, [401, 401, 403, 401])
  t.same(errors, [])
})

t.test('A4, B3, C11, I1: the API works under a prefix of another application', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const app = await hostOf(fixture)
  t.teardown(async () => {
    await app.close()
    await fixture.stop()
  })
  const credentials = { client_id: 'manager', client_secret: fixture.secrets.manager ?? '' }
  const token = await app.inject({
    method: 'POST',
    url: '/almoner/oauth2/get-token',
    payload: { grant_type: 'client_credentials', ...credentials },
  })
  t.equal(token.statusCode, 200)
  const { access_token } = token.json<{ access_token: string }>()
  const headers = { authorization: `Bearer ${access_token}` }

  for (const title of ['one', 'two']) {
    const payload = { ...FEED_ITEM, itemTitle: title }
    const created = await app.inject({ method: 'POST', url: '/almoner/feed/', headers, payload })
    t.equal(created.statusCode, 200)
    t.equal(created.headers['api-version'], '1')
  }
  const page = await app.inject({ url: '/almoner/feed?lim=1', headers })
  const link = String(page.headers['link'])
  t.match(link, /^<https:\/\/host\.example\.org\/almoner\/feed\/?\?lim=1&after=[^>]+>; rel="next"$/)
  const { pathname, search } = new URL(link.slice(1, link.indexOf('>')))
  t.match((await app.inject({ url: `${pathname}${search}`, headers })).json(), {
    items: [{ item: { itemTitle: 'one' } }],
  })

  const refused = await app.inject({ method: 'PUT', url: '/almoner/feed/x' })
  t.same([refused.statusCode, refused.headers['allow']], [405, 'GET, HEAD, POST, OPTIONS'])
  t.match(refused.headers['content-type'], /problem\+json/)
  const told = await app.inject({ method: 'OPTIONS', url: '/almoner/oauth2/get-token' })
  t.same([told.statusCode, told.headers['allow']], [204, 'POST, OPTIONS'])
  t.match((await app.inject('/almoner/library/')).json(), { code: 'invalid_token', status: 401 })

  const metadata = (await app.inject('/almoner/.well-known/oauth-authorization-server')).json<
    Record<string, string>
  >()
  t.equal(metadata['token_endpoint'], 'https://host.example.org/almoner/oauth2/get-token')
  t.equal(metadata['revocation_endpoint'], 'https://host.example.org/almoner/oauth2/revoke')

  t.same((await app.inject('/own')).json(), { own: true }, 'the application keeps its own routes')
  t.equal((await app.inject({ method: 'PUT', url: '/own' })).statusCode, 404, 'with its own error format')
  t.notOk((await app.inject('/own')).headers['api-version'])
})

t.test('F4: with the documented limits, the API accepts the longest device token in a path', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const app = await hostOf(fixture)
  t.teardown(async () => {
    await app.close()
    await fixture.stop()
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${await fixture.token('donor')}` }
  const token = '\u{1F600}'.repeat(4096)
  await fixture.call('POST', '/user/x/notification/token', { as: 'donor', json: { device_token: token } })
  const path = `/almoner/user/x/notification/token/${encodeURIComponent(token)}`
  const answer = await fetch(`${url}${path}`, { method: 'DELETE', headers })
  t.same([answer.status, await answer.text()], [200, '"success"'])
})

t.test('D2, H1: images are served under the prefix too', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const folder = t.testdir({ 'a-name-that-was-given-out-00.png': 'bytes', 'other.txt': 'no image' })
  for (const path of [folder, relative(process.cwd(), folder)]) {
    const app = await hostOf(fixture, { images: { files: folderImageFiles(path) } })
    t.teardown(() => app.close())
    const served = await app.inject('/almoner/static/media/a-name-that-was-given-out-00.png')
    t.same([served.statusCode, served.body], [200, 'bytes'])
    t.match(served.headers, { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    t.notOk(served.headers['vary'], 'images are the same for everyone')
    for (const path of ['other.txt', 'a-name-that-was-given-out-01.png', '']) {
      const missing = await app.inject(`/almoner/static/media/${path}`)
      t.match([missing.statusCode, missing.headers['content-type']], [404, /problem\+json/], path)
    }
  }
})
