import { holdBack, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { addMillis, MINUTE } from '@almoner/domain/values'
import { oauthError, reply, unauthenticated } from '@almoner/push-providers'
import { setClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openFcm } from '../src/fcm/open-fcm.ts'
import { authority, clock, withFcm } from './fcm.ts'
import { PATIENT } from './time.ts'

const DELIVERED = { _tag: 'Delivered' }
const ours = senderError
const YEAR = 365 * 24 * 60 * MINUTE

t.test(
  'the access token comes from the token_uri of the credentials, with the messaging scope only',
  async (t) => {
    const { fcm, push } = await withFcm(t)
    t.strictSame(await Promise.all([push('a'), push('b'), push('c')]), [DELIVERED, DELIVERED, DELIVERED])
    t.equal(fcm.oauth.requests.length, 1)
    t.match(fcm.oauth.requests[0]?.claims, {
      iss: fcm.account.client_email,
      aud: fcm.account.token_uri,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    })
  },
)

t.test('G5: a revoked token is replaced once, for all pushes rejected with it', async (t) => {
  const { fcm, push } = await withFcm(t)
  await push('a')
  fcm.revokeTokens()
  const results = await Promise.all(Array.from({ length: 50 }, () => push('a')))
  t.ok(results.every(({ _tag }) => _tag === 'Delivered'))
  t.equal(fcm.oauth.requests.length, 2)
})

t.test('G5: a token that expires at once is replaced once, then it is a sender error', async (t) => {
  const { fcm, push } = await withFcm(t)
  fcm.setTokenLife(0)
  t.strictSame(await push('a'), ours('UNAUTHENTICATED'))
  t.equal(fcm.requests.length, 2, 'two attempts, not endless ones')
  fcm.setTokenLife(3600)
  t.strictSame(await push('a'), DELIVERED, 'and it recovers')
})

t.test('G5: a second 401 with a new token is a sender error', async (t) => {
  const { fcm, push } = await withFcm(t)
  fcm.next('a', unauthenticated(), unauthenticated())
  t.strictSame(await push('a'), ours('UNAUTHENTICATED'))
  fcm.next('a', unauthenticated())
  t.strictSame(await push('a'), DELIVERED)
})

t.test(
  'G5: errors of the token endpoint about the credentials are sender errors, with its own code',
  async (t) => {
    const { fcm, push } = await withFcm(t)
    const { client_email } = fcm.account
    fcm.oauth.next(
      client_email,
      oauthError('invalid_grant', 'Invalid grant: account not found: secret'),
      oauthError('a secret', 'a secret'),
      reply(404),
    )
    t.strictSame(await push('a'), ours('invalid_grant'))
    t.strictSame(await push('a'), ours('HTTP 400'))
    t.strictSame(await push('a'), ours('HTTP 404'))
    t.equal(fcm.requests.length, 0)
    t.strictSame(await push('a'), DELIVERED)
  },
)

t.test('G5: a failing token endpoint is requested again later', async (t) => {
  const { fcm, push } = await withFcm(t)
  const { client_email } = fcm.account
  fcm.oauth.next(
    client_email,
    reply(503, { 'retry-after': '30' }),
    reply(500),
    reply(429),
    reply(200, {}, '<p>'),
  )
  t.strictSame(await push('a'), holdBack(O.some(30_000), 'HTTP 503'))
  for (const word of ['HTTP 500', 'HTTP 429']) t.strictSame(await push('a'), holdBack(O.none, word))
  t.strictSame(await push('a'), UNANSWERED)
  t.equal(fcm.oauth.requests.length, 4, 'once per push')
  t.strictSame(await push('a'), DELIVERED)
})

t.test('G5: a key of another account, or an invalid one, is a sender error', async (t) => {
  const { fcm } = await withFcm(t)
  const { fcm: other } = await withFcm(t)
  const result = (private_key: string) => {
    const gateway = openFcm({
      credentials: { ...fcm.account, private_key },
      url: fcm.origin,
      ca: authority.ca,
      clock,
      limit: PATIENT,
    })
    t.teardown(gateway.close)
    return gateway.check()
  }
  t.strictSame(await result(other.account.private_key), ours('invalid_grant'))
  for (const key of ['', 'no key', authority.ca]) t.strictSame(await result(key), ours('private_key'))
})

t.test('G5: a project other than the account’s is a sender error', async (t) => {
  const { fcm } = await withFcm(t)
  const credentials = { ...fcm.account, project_id: 'else' }
  const gateway = openFcm({ credentials, url: fcm.origin, ca: authority.ca, clock, limit: PATIENT })
  t.teardown(gateway.close)
  t.strictSame(await gateway.check(), ours('PERMISSION_DENIED'))
})

for (const step of [-3 * YEAR, -2 * MINUTE, 2 * MINUTE, 3 * YEAR])
  t.test(`I9: after a step of the clock by ${step} ms a fresh access token is fetched, once`, async (t) => {
    const set = setClock()
    const { fcm, push } = await withFcm(t, { clock: set })
    for (const passed of [0, 30 * MINUTE]) {
      set.advance(passed)
      t.strictSame(await push('a'), DELIVERED)
    }
    t.equal(fcm.oauth.requests.length, 1, 'time that passes is no step')
    set.set(addMillis(set.now(), step))
    t.ok((await Promise.all([push('a'), push('b'), push('c')])).every(({ _tag }) => _tag === 'Delivered'))
    t.equal(fcm.oauth.requests.length, 2)
  })

for (const ours of [-3 * YEAR, 3 * YEAR])
  t.test(`I9: a date in Retry-After counts from that of FCM, with our clock ${ours} ms away`, async (t) => {
    const set = setClock(Date.now() + ours)
    const { fcm, push } = await withFcm(t, { clock: set })
    const at = (seconds: number) => new Date(1_900_000_000_000 + seconds * 1000).toUTCString()
    fcm.next('a', reply(503, { date: at(0), 'retry-after': at(30) }))
    t.match(await push('a'), { because: 'origin', after: O.some(30_000) })
    fcm.revokeTokens()
    fcm.oauth.next(fcm.account.client_email, reply(503, { date: at(0), 'retry-after': at(40) }))
    t.match(await push('a'), { because: 'origin', after: O.some(40_000) })
  })
