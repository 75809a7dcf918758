import {
  holdBack,
  type PushResult,
  refused,
  retry,
  senderError,
  unregistered,
} from '@almoner/domain/notifications'
import { addMillis, instant } from '@almoner/domain/values'
import { type ApnsReason, apnsError, apnsGone, REASONS, reply, replyJson } from '@almoner/push-providers'
import { samplePush } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { OUTCOMES, resultOf } from '../src/apns/outcomes.ts'
import { apnsDevice, DEVICE, withApns } from './apns.ts'

type Plain = Exclude<ApnsReason, 'Unregistered' | 'ExpiredToken'>

const again = (word: string, after: O.Option<number> = O.none): PushResult => retry(after, word)
const hold = (word: string, after: O.Option<number> = O.none): PushResult => holdBack(after, word)

/** Every reason without a time, and its expected result, with the same reason. */
const EXPECTED: Readonly<Record<Plain, (word: string) => PushResult>> = {
  BadCollapseId: refused,
  BadDeviceToken: unregistered,
  BadExpirationDate: refused,
  BadMessageId: refused,
  BadPriority: refused,
  BadTopic: senderError,
  DeviceTokenNotForTopic: refused,
  DuplicateHeaders: refused,
  IdleTimeout: again,
  InvalidPushType: refused,
  MissingDeviceToken: refused,
  MissingTopic: senderError,
  PayloadEmpty: refused,
  TopicDisallowed: senderError,
  BadCertificate: senderError,
  BadCertificateEnvironment: senderError,
  BadEnvironmentKeyInToken: senderError,
  ExpiredProviderToken: senderError,
  Forbidden: senderError,
  InvalidProviderToken: senderError,
  MissingProviderToken: senderError,
  UnrelatedKeyIdInToken: senderError,
  BadPath: senderError,
  MethodNotAllowed: senderError,
  PayloadTooLarge: refused,
  TooManyProviderTokenUpdates: hold,
  TooManyRequests: again,
  InternalServerError: again,
  ServiceUnavailable: hold,
  Shutdown: hold,
}

t.test('G5: each reason of APNs has its outcome, after one request', async (t) => {
  const { apns, send } = await withApns(t)
  for (const [reason, expected] of Object.entries(EXPECTED)) {
    // Twice: after an error of the provider token the push is repeated with another token, here in vain.
    if (['ExpiredProviderToken', 'TooManyProviderTokenUpdates'].includes(reason)) continue
    const before = apns.requests.length
    apns.next(DEVICE, apnsError(reason as Plain))
    t.strictSame(await send(), expected(reason), reason)
    t.equal(apns.requests.length, before + 1, `${reason}: the gateway does not repeat it`)
  }
  t.equal(apns.connections(), 1)
})

t.test('G5: the table has all documented reasons', async (t) => {
  t.strictSame(
    Object.keys(REASONS).filter((reason) => !Object.hasOwn(OUTCOMES, reason)),
    [],
  )
})

t.test('G5, G15: a device is dead unless APNs found it unregistered before its attachment', async (t) => {
  const { apns, send } = await withApns(t)
  const attachedAt = instant(1_700_000_000_000)
  for (const reason of ['Unregistered', 'ExpiredToken'] as const) {
    const rows = [
      [1, unregistered(reason)],
      [0, refused(reason)],
      [-1, refused(reason)],
      [-86_400_000, refused(reason)],
    ] as const
    for (const [after, expected] of rows) {
      apns.next(DEVICE, apnsGone(new Date(addMillis(attachedAt, after)), reason))
      t.strictSame(await send({ attachedAt }), expected, `${reason} ${after} ms after it`)
    }
  }
  apns.next(DEVICE, replyJson(410, { reason: 'Unregistered' }), reply(410))
  t.strictSame(await send({ attachedAt }), unregistered('Unregistered'), 'and without a time')
  t.strictSame(await send({ attachedAt }), unregistered('HTTP 410'))
})

t.test('G5: Retry-After is passed on, in seconds or as a date', async (t) => {
  const now = instant(1_800_000_000_000)
  const after = (header: string, status = 429) =>
    resultOf({ status, reason: 'TooManyRequests', timestamp: 0, retryAfter: header }, samplePush(1), now)
  t.strictSame(after('30'), again('TooManyRequests', O.some(30_000)))
  t.strictSame(after(new Date(now + 5000).toUTCString()), again('TooManyRequests', O.some(5000)))
  t.strictSame(after('soon'), again('TooManyRequests'))
  const { apns, send } = await withApns(t)
  for (const [reason, expected] of [
    ['TooManyRequests', again],
    ['ServiceUnavailable', hold],
    ['InternalServerError', hold],
  ] as const) {
    apns.next(DEVICE, apnsError(reason, 7))
    t.strictSame(await send(), expected(reason, O.some(7000)), `${reason}: 429 concerns one device (G15)`)
  }
})

t.test('G5: unknown responses are classified by status, and their text is not passed on', async (t) => {
  const { apns, send } = await withApns(t)
  const secret = 'a-secret'
  const page = `<html>${secret}</html>`
  const rows = [
    [reply(400, {}, page), refused('HTTP 400')],
    [reply(403, {}, page), senderError('HTTP 403')],
    [reply(404), senderError('HTTP 404')],
    [replyJson(403, { reason: secret }), senderError('HTTP 403')],
    [replyJson(403, { reason: 'constructor' }), senderError('HTTP 403')],
    [replyJson(403, null), senderError('HTTP 403')],
    [replyJson(403, { reason: { a: 1 } }), senderError('HTTP 403')],
    [replyJson(400, { reason: DEVICE }), refused('HTTP 400')],
    [replyJson(400, { reason: `BadDeviceToken ${DEVICE}` }), refused('HTTP 400')],
    [replyJson(410, { reason: DEVICE, timestamp: 8e15 }), unregistered('HTTP 410')],
    [replyJson(500, { reason: DEVICE }), again('HTTP 500')],
    [reply(413), refused('HTTP 413')],
    [reply(429, { 'retry-after': '2' }), again('HTTP 429', O.some(2000))],
    [reply(502, {}, page), again('HTTP 502')],
    [reply(502, { 'retry-after': '2' }), hold('HTTP 502', O.some(2000))],
    [reply(503, {}, page), hold('HTTP 503')],
    [reply(504), again('HTTP 504')],
    [reply(302, { location: 'https://elsewhere.invalid/' }), again('HTTP 302')],
    [reply(200, {}, page), { _tag: 'Delivered' }],
  ] as const
  for (const [answer, expected] of rows) {
    apns.next(DEVICE, answer)
    t.strictSame(await send(), expected)
  }
})

t.test('a reason is a word of the table or the status number, for any response', async (t) => {
  const said = fc.oneof(
    fc.string(),
    fc.constantFrom(DEVICE, 'toString', '__proto__', ...Object.keys(OUTCOMES)),
  )
  fc.assert(
    fc.property(fc.integer({ min: 201, max: 599 }), said, fc.integer(), (status, reason, timestamp) => {
      const reply = { status, reason, timestamp, retryAfter: undefined }
      const result = resultOf(reply, samplePush(1, { destination: apnsDevice(DEVICE) }), instant(0))
      const words = [...Object.keys(OUTCOMES), `HTTP ${status}`]
      return result._tag !== 'Delivered' && words.includes(result.reason)
    }),
  )
  t.pass()
})

t.test('a production-only key fails devices of the sandbox, not all devices', async (t) => {
  const { apns, send } = await withApns(t)
  apns.otherwise(apnsError('BadEnvironmentKeyInToken'))
  t.strictSame(await send(), senderError('BadEnvironmentKeyInToken'))
  const toSandbox = await send({ destination: apnsDevice(DEVICE, true) })
  t.strictSame(toSandbox, refused('BadEnvironmentKeyInToken'))
})

t.test('I9: a device that a clock ahead has attached is not kept from being called dead', async (t) => {
  const now = instant(1_800_000_000_000)
  const gone = (attachedAt: number) =>
    resultOf(
      { status: 410, reason: 'Unregistered', timestamp: now - 60_000, retryAfter: undefined },
      { ...samplePush(1), attachedAt: instant(attachedAt) },
      now,
    )._tag
  t.equal(gone(now - 60_001), 'Unregistered')
  t.equal(gone(now - 60_000), 'Refused', 'it was attached again since')
  t.equal(gone(now + 60_000), 'Refused', 'as clocks may be a minute apart')
  t.equal(gone(now + 60_001), 'Unregistered')
  t.equal(gone(now + 1e11), 'Unregistered')
})
