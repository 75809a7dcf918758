import { instant, later } from '@almoner/domain'
import { samplePush } from '@almoner/domain/contracts'
import { type ApnsReason, apnsError, apnsGone, REASONS, reply, replyJson } from '@almoner/loopback-providers'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { OUTCOMES, resultOf } from '../src/apns/outcomes.ts'
import { apnsDevice, DEVICE, withApns } from './apns.ts'

type Plain = Exclude<ApnsReason, 'Unregistered' | 'ExpiredToken'>

const RETRY = { _tag: 'Retry', after: O.none }
const REFUSED = { _tag: 'Refused' }
const DEAD = { _tag: 'Dead' }
const ours = (reason: string) => ({ _tag: 'OurFault', reason })

/** Every reason that is not about a time, and what it must come to. */
const EXPECTED: Readonly<Record<Plain, object>> = {
  BadCollapseId: REFUSED,
  BadDeviceToken: DEAD,
  BadExpirationDate: REFUSED,
  BadMessageId: REFUSED,
  BadPriority: REFUSED,
  BadTopic: ours('BadTopic'),
  DeviceTokenNotForTopic: REFUSED,
  DuplicateHeaders: REFUSED,
  IdleTimeout: RETRY,
  InvalidPushType: REFUSED,
  MissingDeviceToken: REFUSED,
  MissingTopic: ours('MissingTopic'),
  PayloadEmpty: REFUSED,
  TopicDisallowed: ours('TopicDisallowed'),
  BadCertificate: ours('BadCertificate'),
  BadCertificateEnvironment: ours('BadCertificateEnvironment'),
  BadEnvironmentKeyInToken: ours('BadEnvironmentKeyInToken'),
  ExpiredProviderToken: ours('ExpiredProviderToken'),
  Forbidden: ours('Forbidden'),
  InvalidProviderToken: ours('InvalidProviderToken'),
  MissingProviderToken: ours('MissingProviderToken'),
  UnrelatedKeyIdInToken: ours('UnrelatedKeyIdInToken'),
  BadPath: ours('BadPath'),
  MethodNotAllowed: ours('MethodNotAllowed'),
  PayloadTooLarge: REFUSED,
  TooManyProviderTokenUpdates: RETRY,
  TooManyRequests: RETRY,
  InternalServerError: RETRY,
  ServiceUnavailable: RETRY,
  Shutdown: RETRY,
}

t.test('G5: each reason that APNs gives has its outcome, asked once', async (t) => {
  const { apns, send } = await withApns(t)
  for (const [reason, expected] of Object.entries(EXPECTED)) {
    // Twice: an expired provider token is asked with once more, and in vain.
    if (reason === 'ExpiredProviderToken') continue
    const before = apns.requests.length
    apns.next(DEVICE, apnsError(reason as Plain))
    t.strictSame(await send(), expected, reason)
    t.equal(apns.requests.length, before + 1, `${reason}: nothing is tried again by itself`)
  }
  t.equal(apns.connections(), 1)
})

t.test('G5: the table has every reason that there is', async (t) => {
  t.strictSame(
    Object.keys(REASONS).filter((reason) => !Object.hasOwn(OUTCOMES, reason)),
    [],
  )
})

t.test('G5: a device is dead only if APNs found it gone after it was attached', async (t) => {
  const { apns, send } = await withApns(t)
  const attachedAt = instant(1_700_000_000_000)
  for (const reason of ['Unregistered', 'ExpiredToken'] as const) {
    const rows = [
      [1, DEAD],
      [0, RETRY],
      [-1, RETRY],
    ] as const
    for (const [after, expected] of rows) {
      apns.next(DEVICE, apnsGone(new Date(later(attachedAt, after)), reason))
      t.strictSame(await send({ attachedAt }), expected, `${reason} ${after} ms after it`)
    }
  }
  apns.next(DEVICE, replyJson(410, { reason: 'Unregistered' }), reply(410))
  t.strictSame(await send({ attachedAt }), RETRY, 'and where it does not say when')
  t.strictSame(await send({ attachedAt }), RETRY)
})

t.test('G5: Retry-After is passed on, in seconds or as a date', async (t) => {
  const now = instant(1_800_000_000_000)
  const after = (header: string, status = 429) =>
    resultOf({ status, reason: 'TooManyRequests', timestamp: 0, retryAfter: header }, samplePush(1), now)
  t.strictSame(after('30'), { _tag: 'Retry', after: O.some(30_000) })
  t.strictSame(after(new Date(now + 5000).toUTCString()), { _tag: 'Retry', after: O.some(5000) })
  t.strictSame(after('soon'), RETRY)
  const { apns, send } = await withApns(t)
  for (const reason of ['TooManyRequests', 'ServiceUnavailable', 'InternalServerError'] as const) {
    apns.next(DEVICE, apnsError(reason, 7))
    t.strictSame(await send(), { _tag: 'Retry', after: O.some(7000) }, reason)
  }
})

t.test('G5: answers that are not of APNs go by their status, and their words go nowhere', async (t) => {
  const { apns, send } = await withApns(t)
  const secret = 'a-secret'
  const page = `<html>${secret}</html>`
  const rows = [
    [reply(400, {}, page), REFUSED],
    [reply(403, {}, page), ours('HTTP 403')],
    [reply(404), ours('HTTP 404')],
    [replyJson(403, { reason: secret }), ours('HTTP 403')],
    [replyJson(403, { reason: 'constructor' }), ours('HTTP 403')],
    [replyJson(403, null), ours('HTTP 403')],
    [replyJson(403, { reason: { a: 1 } }), ours('HTTP 403')],
    [reply(413), REFUSED],
    [reply(429, { 'retry-after': '2' }), { _tag: 'Retry', after: O.some(2000) }],
    [reply(502, {}, page), RETRY],
    [reply(504), RETRY],
    [reply(302, { location: 'https://elsewhere.invalid/' }), RETRY],
    [reply(200, {}, page), { _tag: 'Delivered' }],
  ] as const
  for (const [answer, expected] of rows) {
    apns.next(DEVICE, answer)
    t.strictSame(await send(), expected)
  }
})

t.test("a key that is for production alone refuses a developer's device, not everybody's", async (t) => {
  const { apns, send } = await withApns(t)
  apns.otherwise(apnsError('BadEnvironmentKeyInToken'))
  t.match(await send(), { _tag: 'OurFault' })
  t.strictSame(await send({ destination: apnsDevice(DEVICE, true) }), REFUSED)
})
