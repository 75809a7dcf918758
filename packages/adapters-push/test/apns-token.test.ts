import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { holdBack, senderError } from '@almoner/domain/notifications'
import { instant } from '@almoner/domain/values'
import { type ApnsRequest, apnsError, makeApnsKey } from '@almoner/push-providers'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openApns } from '../src/apns/index.ts'
import { makeProviderToken } from '../src/apns/provider-token.ts'
import { apnsDevice, DEVICE, key, openLoopback, optionsFor, pushTo, withApns } from './apns.ts'

const MINUTE = 60_000
const HALF_PAST = 30 * MINUTE * 1_000_000

const parsed = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
const iatOf = (token: string): number => parsed(token.split('.')[1]).iat
const bearerOf = (request: ApnsRequest | undefined): string =>
  String(request?.headers.authorization).replace(/^bearer /, '')

/** A clock that a test sets. */
const setClock = (at: number) => {
  const hand = { at, now: () => instant(hand.at) }
  return hand
}

const tokenAt = (at: number) => {
  const clock = setClock(at)
  return { clock, token: makeProviderToken({ key: key.p8, keyId: key.keyId, teamId: key.teamId, clock }) }
}

t.test('a provider token is a JWT of ES256 with key, team and time', async (t) => {
  const { token } = tokenAt(HALF_PAST + 5 * MINUTE)
  const [head, claims, signature] = (await token.current).split('.')
  t.strictSame(parsed(head), { alg: 'ES256', kid: key.keyId })
  t.strictSame(parsed(claims), { iss: key.teamId, iat: HALF_PAST / 1000 })
  const publicKey = { key: createPublicKey(key.p8), dsaEncoding: 'ieee-p1363' } as const
  t.ok(
    verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature ?? '', 'base64url')),
  )
})

t.test('processes with one key use the same issue time, and change it every half hour', async (t) => {
  const early = tokenAt(HALF_PAST)
  const late = tokenAt(HALF_PAST + 29 * MINUTE)
  t.equal(iatOf(await early.token.current), iatOf(await late.token.current))
  t.notOk(early.token.isExpired())
  early.clock.at += 30 * MINUTE
  t.ok(early.token.isExpired())
  early.token.regenerate(early.token.generation)
  t.equal(iatOf(await early.token.current), HALF_PAST / 1000 + 1800)
  t.notOk(early.token.isExpired())
})

t.test('a token that APNs calls expired is replaced once, however many pushes were rejected', async (t) => {
  const { clock, token } = tokenAt(HALF_PAST)
  clock.at += 10 * MINUTE
  for (let n = 0; n < 3; n += 1) token.regenerate(0)
  t.equal(token.generation, 1)
  t.equal(iatOf(await token.current), clock.at / 1000)
})

t.test('the gateway renews the provider token while it runs', async (t) => {
  const clock = setClock(HALF_PAST)
  const { apns, send } = await withApns(t, { clock }, { now: () => clock.at, tokenUpdates: 'key' })
  for (let n = 0; n < 5; n += 1) {
    t.strictSame(await send(), { _tag: 'Delivered' })
    clock.at += 25 * MINUTE
  }
  t.strictSame(
    apns.requests.map((request) => (iatOf(bearerOf(request)) * 1000 - HALF_PAST) / MINUTE),
    [0, 0, 30, 60, 90],
  )
})

for (const tokenUpdates of ['connection', 'key'] as const)
  t.test(`with a first push in any minute, no token is changed too soon: ${tokenUpdates}`, async (t) => {
    const clock = setClock(HALF_PAST + 25 * MINUTE)
    const { apns, send } = await withApns(t, { clock }, { now: () => clock.at, tokenUpdates })
    // Another process begins when the first has used its token for a few minutes, and meets the next half hour.
    const begin = () => {
      const other = openApns(optionsFor(apns.origin, { clock }))
      t.teardown(other.close)
      return () => other.send(pushTo(DEVICE))()
    }
    const others: Array<() => Promise<unknown>> = []
    for (let n = 0; n < 30; n += 1) {
      t.strictSame(await send(), { _tag: 'Delivered' }, `${5 * n} minutes later`)
      for (const other of others)
        t.strictSame(await other(), { _tag: 'Delivered' }, `${5 * n}, another process`)
      if (n === 2 || n === 7) others.push(begin())
      clock.at += 5 * MINUTE
    }
  })

t.test(
  'TooManyProviderTokenUpdates, where the previous token fails too, holds the origin back',
  async (t) => {
    const clock = setClock(HALF_PAST + 5 * MINUTE)
    const { apns, send } = await withApns(t, { clock }, { now: () => clock.at })
    // The other one is refused by the provider itself, which has seen the first.
    apns.next(DEVICE, apnsError('TooManyProviderTokenUpdates'))
    t.strictSame(await send(), holdBack(O.none, 'TooManyProviderTokenUpdates'))
    t.equal(apns.requests.length, 2)
    const [first, second] = apns.requests.map((request) => iatOf(bearerOf(request)))
    t.equal(Number(first) - Number(second), 1800)
    t.strictSame(await send(), { _tag: 'Delivered' })
  },
)

t.test('two gateways with one key do not disturb each other, nor do production and sandbox', async (t) => {
  const { apns, send, gateway } = await withApns(t, {}, { tokenUpdates: 'key' })
  const other = openApns(optionsFor(apns.origin))
  t.teardown(other.close)
  t.strictSame(await send(), { _tag: 'Delivered' })
  t.strictSame(await other.send(pushTo(DEVICE))(), { _tag: 'Delivered' })
  const toSandbox = pushTo(DEVICE, { destination: apnsDevice(DEVICE, true) })
  t.strictSame(await gateway.send(toSandbox)(), { _tag: 'Delivered' })
  t.equal(bearerOf(apns.requests[0]), bearerOf(apns.requests[2]))
})

t.test('ExpiredProviderToken: a new token and one more attempt', async (t) => {
  const behind = setClock(HALF_PAST + 25 * MINUTE)
  const { apns, send } = await withApns(t, { clock: behind }, { now: () => HALF_PAST + 61 * MINUTE })
  t.strictSame(await send(), { _tag: 'Delivered' })
  t.strictSame(
    apns.requests.map((request) => iatOf(bearerOf(request)) - HALF_PAST / 1000),
    [0, 25 * 60],
  )
  t.strictSame(await send(), { _tag: 'Delivered' })
  t.equal(apns.requests.length, 3, 'the new one stays')
})

t.test('a clock that is hours behind is a sender error, as is a key unknown to APNs', async (t) => {
  const behind = setClock(Date.now() - 5 * 60 * MINUTE)
  const { apns, send } = await withApns(t, { clock: behind })
  t.strictSame(await send(), senderError('ExpiredProviderToken'))
  t.equal(apns.requests.length, 2)
  const stranger = await withApns(t, { key: makeApnsKey().p8 })
  t.strictSame(await stranger.send(), senderError('InvalidProviderToken'))
  const elsewhere = await withApns(t, { topic: 'org.example.else' })
  t.strictSame(await elsewhere.send(), senderError('TopicDisallowed'))
})

t.test(
  'ExpiredProviderToken with the next token too soon: a wrong clock, which is a sender error',
  async (t) => {
    const { apns, send } = await withApns(t)
    apns.next(DEVICE, apnsError('ExpiredProviderToken'), apnsError('TooManyProviderTokenUpdates'))
    t.strictSame(await send(), senderError('ExpiredProviderToken'))
    t.equal(apns.requests.length, 2)
  },
)

t.test('a key signs in any form of PEM', async (t) => {
  const apns = await openLoopback(t)
  const { p8 } = key
  const sec1 = createPrivateKey(p8).export({ type: 'sec1', format: 'pem' }).toString()
  for (const text of [p8, p8.replaceAll('\n', '\r\n'), `\n\nBag Attributes\n${p8}\n`, sec1, p8.trimEnd()]) {
    const gateway = openApns(optionsFor(apns.origin, { key: text }))
    t.strictSame(await gateway.send(pushTo(DEVICE))(), { _tag: 'Delivered' })
    await gateway.close()
  }
})

t.test('an invalid key is a sender error at the first push, and is not shown', async (t) => {
  const apns = await openLoopback(t)
  for (const bad of [
    'a-secret',
    '-----BEGIN PRIVATE KEY-----\na-secret\n-----END PRIVATE KEY-----',
    '/etc/passwd',
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ].map(String)) {
    const gateway = openApns(optionsFor(apns.origin, { key: bad }))
    const result = await gateway.send(pushTo(DEVICE))()
    t.strictSame(result, senderError('the key or the address cannot be used'))
    await gateway.close()
  }
  t.equal(apns.requests.length, 0)
})
