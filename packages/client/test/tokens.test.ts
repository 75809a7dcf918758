import t from 'tap'
import { makeClient } from '../src/client.ts'
import { ApiError, TokenError } from '../src/index.ts'
import { startService } from './support/service.ts'

t.test('A4, A5: one token, requested by the first call, serves all calls, concurrent ones too', async (t) => {
  const service = await startService(t)
  const api = service.as('user')
  t.same(service.asked, [], 'nothing is sent before a call')
  await Promise.all([api.get('/library/'), api.get('/feed/'), api.get('/library/label')])
  await api.get('/library/')
  t.equal(service.tokensAsked(), 1)
  t.equal(service.asked[0], 'POST /oauth2/get-token')
})

t.test('A4: a token is renewed before it expires, and calls continue', async (t) => {
  const service = await startService(t, { policy: { tokenTtl: 100 } })
  const api = service.as('user')
  await api.get('/library/')
  service.fixture.clock.advance(89_000)
  await api.get('/library/')
  t.equal(service.tokensAsked(), 1)
  service.fixture.clock.advance(2_000)
  await Promise.all([api.get('/library/'), api.get('/feed/')])
  t.equal(service.tokensAsked(), 2, 'in the last tenth of its life')
  t.notOk(
    service.fixture.lines.some((line) => line.includes('"status":401')),
    'none was rejected',
  )
})

t.test('A6: a revoked token is renewed and the call repeated, with its body', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  await api.get('/library/')
  await service.revoke('manager', service.tokens[0])
  const body = {
    itemTitle: 'One',
    itemDescription: 'Two',
    link: 'https://example.org',
    itemPublicationDate: '2026-05-01',
  }
  const { data } = await api.post('/library/', { body })
  t.match(data.items[0]?.item, { itemTitle: 'One', status: 'Draft' })
  t.equal(service.tokensAsked(), 2)
})

t.test('A5: a call that is rejected with a new token too is an ApiError', async (t) => {
  const service = await startService(t)
  let given = 0
  const token = async () => {
    given += 1
    return { access_token: 'nobody gave this' }
  }
  const api = makeClient({ baseUrl: service.fixture.url, token, fetch: service.send }, service.time)
  const error = await api.get('/library/').catch((cause: unknown) => cause)
  t.ok(error instanceof ApiError)
  t.match(error, { status: 401, code: 'invalid_token' })
  t.equal(given, 2)
})

t.test('A4: tokens may come from a function, in the format of the token endpoint', async (t) => {
  const service = await startService(t, { policy: { tokenTtl: 100 } })
  const { clientId, clientSecret } = service.credentialsOf('user')
  let given = 0
  const token = async (signal: AbortSignal) => {
    given += 1
    t.notOk(signal.aborted)
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    return (await service.fixture.call('POST', '/oauth2/get-token', { form })).json() as Promise<{
      access_token: string
    }>
  }
  const api = makeClient({ baseUrl: `${service.fixture.url}/`, token }, service.time)
  await api.get('/library/')
  await api.get('/library/')
  t.equal(given, 1)
  service.fixture.clock.advance(91_000)
  await api.get('/library/')
  t.equal(given, 2)
  await api.signOut()
  await api.get('/library/')
  t.equal(given, 3)
  const without = makeClient({ baseUrl: service.fixture.url, token: async () => Object({}) }, service.time)
  await t.rejects(without.get('/library/'), TypeError)
})

t.test(
  'A4: wrong credentials and missing scopes are a TokenError, and the next call tries again',
  async (t) => {
    const service = await startService(t)
    const credentials = { ...service.credentialsOf('user'), clientSecret: 'a guess that nobody may see' }
    const api = makeClient({ baseUrl: service.fixture.url, credentials, fetch: service.send }, service.time)
    const error = await api.get('/library/').catch((cause: unknown) => cause)
    t.ok(error instanceof TokenError)
    t.match(error, { status: 401, error: 'invalid_client' })
    t.notMatch(JSON.stringify([String(error), error]), /guess/)
    await t.rejects(api.get('/library/'), { name: 'TokenError', error: 'invalid_client' })
    t.equal(service.tokensAsked(), 2)
    await t.rejects(service.as('user', 'content-manager').get('/library/'), {
      name: 'TokenError',
      status: 400,
      error: 'invalid_scope',
    })
  },
)

t.test('A4: scope requests fewer scopes than the client has', async (t) => {
  const service = await startService(t)
  const api = service.as('donor', 'user')
  await api.get('/feed/')
  const body = { itemType: 'photo', itemTitle: 'One', itemDescription: 'Two' } as const
  await t.rejects(api.post('/feed/', { body }), { status: 403, code: 'insufficient_scope' })
})

t.test('RFC 7009, A6: signOut revokes the token, and the next call gets a new one', async (t) => {
  const service = await startService(t)
  const api = service.as('user')
  await api.signOut()
  t.same(service.asked, [], 'there was no token')
  await api.get('/library/')
  await api.signOut()
  const headers = { authorization: `Bearer ${service.tokens[0]}` }
  t.equal((await service.fixture.call('GET', '/library/', { headers })).status, 401)
  await api.get('/library/')
  t.equal(service.tokensAsked(), 2)
})

t.test('aborting a call while a token is requested does not affect other calls', async (t) => {
  const service = await startService(t)
  const api = service.as('user')
  const controller = new AbortController()
  const given = api.get('/library/', { signal: controller.signal })
  const kept = api.get('/feed/')
  controller.abort(new Error('no longer needed'))
  await t.rejects(given, /no longer needed/)
  t.same((await kept).data, { items: [] })
  t.equal(service.tokensAsked(), 1)
})

t.test('M5: with a session the client sends no token and requests none', async (t) => {
  const service = await startService(t)
  const sent: Array<Request> = []
  const send = async (request: Request) => {
    sent.push(request)
    return Response.json({ items: [] })
  }
  const api = makeClient({ baseUrl: service.fixture.url, session: true, fetch: send }, service.time)
  await api.get('/library/')
  await api.signOut()
  t.equal(sent.length, 1)
  t.notOk(sent[0]?.headers.has('Authorization'))
})
