import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'

t.test('A8: a general rate limit by client is off by default', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const statuses = new Set<number>()
  for (let made = 0; made < 300; made += 1)
    statuses.add((await fixture.call('GET', '/feed/label', { as: 'user' })).status)
  t.same([...statuses], [200])
})

t.test('A8: the general rate limit counts by client', async (t) => {
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    rateLimit: { max: 5, milliseconds: 3_600_000 },
  })
  t.teardown(fixture.stop)
  for (const path of ['/library/', '/feed/', '/library/label', '/feed/label', '/library/x/label'])
    t.equal((await fixture.call('GET', path, { as: 'user' })).status, 200, 'one limit for all routes')
  const refused = await fixture.call('GET', '/library/', { as: 'user' })
  t.ok(Number(refused.headers.get('retry-after')) > 3000, 'Retry-After, in seconds')
  await seeProblem(t, refused, 'too_many_requests')

  t.equal((await fixture.call('GET', '/library/', { as: 'donor' })).status, 200, 'another client has its own')
  const form = {
    grant_type: 'client_credentials',
    client_id: 'user',
    client_secret: fixture.secrets.user ?? '',
  }
  const fresh = await fixture.call('POST', '/oauth2/get-token', { form })
  t.equal(fresh.status, 200, 'tokens can still be requested')
  const { access_token } = (await fresh.json()) as { access_token: string }
  const again = await fixture.call('GET', '/library/', { query: { access_token } })
  t.equal(again.status, 429, 'another token is the same client')
  t.equal((await fixture.call('GET', '/health/live')).status, 200)
  t.equal((await fixture.call('GET', '/library/')).status, 401, 'unauthenticated callers get 401 first')
})

t.test(
  'A8: requests with invalid parameters count too, and a token in the body identifies the client',
  async (t) => {
    const fixture = await startFixture(t.testdir(), {
      store: 'memory',
      rateLimit: { max: 2, milliseconds: 3_600_000 },
    })
    t.teardown(fixture.stop)
    const access_token = await fixture.token('manager')
    t.equal((await fixture.call('POST', '/library/', { json: { access_token } })).status, 400)
    t.equal((await fixture.call('POST', '/library/', { form: { access_token } })).status, 400)
    t.equal((await fixture.call('POST', '/library/', { json: { access_token } })).status, 429)
  },
)

t.test('A8, draft-ietf-httpapi-ratelimit-headers: each response has the remaining quota', async (t) => {
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    rateLimit: { max: 2, milliseconds: 60_000 },
  })
  t.teardown(fixture.stop)
  for (const [status, left] of [
    [200, 1],
    [200, 0],
    [429, 0],
  ]) {
    const { status: given, headers } = await fixture.call('GET', '/library/', { as: 'user' })
    t.equal(given, status)
    t.equal(headers.get('ratelimit-policy'), '"client";q=2;w=60')
    t.match(headers.get('ratelimit'), new RegExp(`^"client";r=${left};t=[1-9][0-9]?$`))
    t.notOk([...headers.keys()].some((name) => name.startsWith('x-ratelimit')))
  }
  const stranger = await fixture.call('GET', '/library/')
  t.same(
    [stranger.status, stranger.headers.get('ratelimit')],
    [401, null],
    'the quota of others is not visible',
  )
})
