import { deepEqual } from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { DELIVERED, holdBack, refused, senderError } from '@almoner/domain/notifications'
import { makeVapidKeys, reply, replyJson } from '@almoner/push-providers'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { makeVapid, vapidFault } from '../src/webpush/vapid.ts'
import { movedClock, vapid, withWebPush } from './webpush.ts'

const HOUR = 3_600_000

t.test('RFC 8292: a header is cached per origin until shortly before it expires', async (t) => {
  const clock = movedClock()
  const { service, send } = await withWebPush(t, { clock })
  const header = async () => {
    t.same(await send(), DELIVERED)
    return service.requests.at(-1)?.headers.authorization
  }
  const first = await header()
  t.match(first, /^vapid t=[\w.-]+, k=[\w-]{87}$/)
  t.equal(await header(), first)
  clock.move(11 * HOUR)
  t.equal(await header(), first)
  clock.move(HOUR - 60_000)
  const second = await header()
  t.not(second, first)
  clock.move(-2 * 24 * HOUR)
  t.not(await header(), second, 'a clock that was set back')
})

t.test(
  'RFC 8292: the header is a JWT of ES256 for the origin, with contact and an end within a day',
  async () => {
    const labels = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/)
    const origins = fc.tuple(labels, fc.option(fc.integer({ min: 1, max: 65_535 }))).map(([label, port]) => {
      const { origin } = new URL(`https://${label}.example.org${port === null ? '' : `:${port}`}`)
      return origin
    })
    const moments = fc.integer({ min: 0, max: Date.UTC(2200, 0) })
    const signers = fc
      .constant(0)
      .map(() => ({ ...makeVapidKeys(), subject: 'https://example.org/push?a=é' }))
    await fc.assert(
      fc.asyncProperty(origins, moments, signers, async (origin, now, keys) => {
        const header = await makeVapid(keys, movedClock(now)).headerFor(origin).authorization
        const [, head = '', body = '', signature = '', key = ''] =
          /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
        const [typed, claims] = [head, body].map((part) =>
          JSON.parse(Buffer.from(part, 'base64url').toString()),
        )
        const point = Buffer.from(key, 'base64url')
        const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
        const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' } as never)
        const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
        deepEqual([typed, key], [{ typ: 'JWT', alg: 'ES256' }, keys.publicKey])
        deepEqual(claims, { aud: origin, exp: Math.floor(now / 1000) + 43_200, sub: keys.subject })
        return verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url'))
      }),
      { numRuns: 40 },
    )
  },
)

t.test('RFC 8292: headers of a limited number of origins are cached, the latest ones', async (t) => {
  const { headerFor } = makeVapid(vapid, movedClock())
  const origin = (n: number) => `https://${n}.push.example.org`
  const first = headerFor(origin(0))
  for (let n = 1; n < 500; n += 1) headerFor(origin(n))
  t.equal(headerFor(origin(0)), first)
  const last = headerFor(origin(500))
  t.equal(headerFor(origin(500)), last)
  t.not(headerFor(origin(0)), first)
})

t.test('RFC 8292: a header is for one origin', async (t) => {
  const { send, service, host } = await withWebPush(t)
  const other = await withWebPush(t, { hosts: [host] })
  t.same(await send(), DELIVERED)
  t.strictSame(await other.send(), refused('a host that is not allowed'))
  const both = await withWebPush(t, { hosts: [host, new URL(other.service.origin).host] })
  t.same(await both.send(service.subscribe()), DELIVERED)
  t.same(await both.send(other.subscription), DELIVERED)
})

t.test('G5: a rejected sender is a sender error, with the words of the push service only', async (t) => {
  const rows = [
    [reply(401), 'HTTP 401'],
    [reply(403, {}, 'a text that nobody knows'), 'HTTP 403'],
    [replyJson(403, { reason: 'BadJwtToken' }), 'HTTP 403 BadJwtToken'],
    [replyJson(401, { errno: 109, message: 'vapid t=secret' }), 'HTTP 401 errno 109'],
  ] as const
  for (const [answer, reason] of rows) {
    const { service, send } = await withWebPush(t)
    service.otherwise(answer)
    t.strictSame(await send(), senderError(reason))
    t.equal(service.requests.length, 1, 'a header younger than an hour is not signed again')
  }
})

t.test('G5: a rejected old header is signed again, and the push is repeated once', async (t) => {
  const clock = movedClock()
  const { service, send, subscription } = await withWebPush(t, { clock })
  service.next(subscription.endpoint, reply(429))
  t.strictSame(await send(), holdBack(O.none, 'HTTP 429'))
  clock.move(2 * HOUR)
  service.next(subscription.endpoint, reply(401))
  t.same(await send(), DELIVERED)
  const [, earlier, later] = service.requests.map(({ headers }) => headers.authorization)
  t.not(earlier, later)
  const late = await withWebPush(t, { clock })
  late.service.otherwise(reply(429))
  await late.send()
  clock.move(2 * HOUR)
  late.service.otherwise(reply(401))
  t.strictSame(await late.send(), senderError('HTTP 401'))
  t.equal(late.service.requests.length, 3, 'one earlier, and two attempts')
})

t.test('I9: a header that a clock ahead has signed is signed again', async (t) => {
  const clock = movedClock()
  const { headerFor, forget } = makeVapid(vapid, clock)
  const [origin, other] = ['https://a.example', 'https://b.example']
  const [used, ahead] = [headerFor(origin), headerFor(other)]
  clock.move(-10 * HOUR)
  t.not(await headerFor(origin).authorization, await used.authorization)
  t.equal(forget(other, ahead), true, 'also where it is rejected before the next push')
  const present = headerFor(other)
  t.equal(forget(other, present), false)
  t.equal(headerFor(other), present)
})

t.test('G5: a subscription for other keys is refused for itself', async (t) => {
  const { service, send } = await withWebPush(t)
  const stranger = service.subscribe(makeVapidKeys().publicKey)
  t.strictSame(await send(stranger), refused('HTTP 403'))
  t.same(await send(), DELIVERED)
})

t.test('RFC 8292: invalid keys are a sender error before any request', async (t) => {
  const rows = [
    { ...vapid, publicKey: vapid.publicKey.slice(1) },
    { ...vapid, publicKey: makeVapidKeys().publicKey },
    { ...vapid, privateKey: '' },
    { ...vapid, privateKey: 'A'.repeat(43) },
    { ...vapid, subject: 'push@example.org' },
    { ...vapid, subject: 'mailto:push@localhost' },
    { ...vapid, subject: 'https://localhost:3000/' },
  ]
  for (const keys of rows) {
    const { service, gateway, send } = await withWebPush(t, { vapid: keys })
    t.match(await send(), { _tag: 'SenderError', reason: /^The VAPID / })
    const found = JSON.stringify(await gateway.check())
    t.match(found, /"SenderError".*The VAPID /)
    const texts = [keys.privateKey, keys.subject].filter((text) => text !== '')
    t.notOk(texts.some((text) => found.includes(text)))
    t.equal(service.requests.length, 0)
  }
  const { gateway } = await withWebPush(t)
  t.strictSame(await gateway.check(), DELIVERED)
  t.equal(vapidFault({ ...vapid, subject: 'https://example.org/push' }), undefined)
})
