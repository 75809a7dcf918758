import {
  DELIVERED,
  holdBack,
  type PushResult,
  partnerError,
  refused,
  retry,
  senderError,
  unregistered,
} from '@almoner/domain/notifications'
import { instant } from '@almoner/domain/values'
import {
  badField,
  badGateway,
  fcmError,
  messageTooBig,
  permissionDenied,
  reply,
  replyJson,
  type ScriptedResponse,
} from '@almoner/push-providers'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { BY_CANONICAL_CODE, BY_ERROR_CODE, BY_HTTP_STATUS, outcomeOf } from '../src/fcm/protocol.ts'
import { withFcm } from './fcm.ts'

const again = (word: string): PushResult => retry(O.none, word)
const hold = (word: string, after: O.Option<number> = O.none): PushResult => holdBack(after, word)

/** A failure with a canonical code alone. */
const canonical = (status: number, code: string, headers = {}): ScriptedResponse =>
  replyJson(status, { error: { code: status, status: code, message: 'a secret' } }, headers)

const ROWS: ReadonlyArray<readonly [string, ScriptedResponse, PushResult]> = [
  ['UNREGISTERED', fcmError('UNREGISTERED'), unregistered('UNREGISTERED')],
  ['INVALID_ARGUMENT of the token', fcmError('INVALID_ARGUMENT'), unregistered('INVALID_ARGUMENT')],
  ['INVALID_ARGUMENT: too big', messageTooBig(), refused('INVALID_ARGUMENT')],
  ['a bad field', badField('message.data[0].value', 'Invalid value'), refused('INVALID_ARGUMENT')],
  ['a bad token, as a field', badField('message.token', 'Invalid'), unregistered('INVALID_ARGUMENT')],
  ['a bad fid, as a field', badField('message.fid', 'Invalid'), unregistered('INVALID_ARGUMENT')],
  ['SENDER_ID_MISMATCH', fcmError('SENDER_ID_MISMATCH'), senderError('SENDER_ID_MISMATCH')],
  ['QUOTA_EXCEEDED', fcmError('QUOTA_EXCEEDED'), hold('QUOTA_EXCEEDED')],
  ['QUOTA_EXCEEDED, 30', fcmError('QUOTA_EXCEEDED', 30), hold('QUOTA_EXCEEDED', O.some(30_000))],
  ['UNAVAILABLE', fcmError('UNAVAILABLE'), hold('UNAVAILABLE')],
  ['UNAVAILABLE, 0', fcmError('UNAVAILABLE', 0), hold('UNAVAILABLE', O.some(0))],
  ['INTERNAL', fcmError('INTERNAL'), again('INTERNAL')],
  ['INTERNAL, 9', fcmError('INTERNAL', 9), hold('INTERNAL', O.some(9000))],
  ['THIRD_PARTY_AUTH_ERROR', fcmError('THIRD_PARTY_AUTH_ERROR'), partnerError('THIRD_PARTY_AUTH_ERROR')],
  ['another project', permissionDenied('else'), senderError('PERMISSION_DENIED')],
  ['a place that is not there', canonical(404, 'NOT_FOUND'), senderError('NOT_FOUND')],
  ['not switched on', canonical(501, 'UNIMPLEMENTED'), senderError('UNIMPLEMENTED')],
  ['a payload', canonical(400, 'INVALID_ARGUMENT'), refused('INVALID_ARGUMENT')],
  ['FAILED_PRECONDITION', canonical(400, 'FAILED_PRECONDITION'), refused('FAILED_PRECONDITION')],
  ['OUT_OF_RANGE', canonical(400, 'OUT_OF_RANGE'), refused('OUT_OF_RANGE')],
  ['ALREADY_EXISTS', canonical(409, 'ALREADY_EXISTS'), refused('ALREADY_EXISTS')],
  ['RESOURCE_EXHAUSTED', canonical(429, 'RESOURCE_EXHAUSTED'), hold('RESOURCE_EXHAUSTED')],
  ['UNAVAILABLE alone', canonical(503, 'UNAVAILABLE'), hold('UNAVAILABLE')],
  ...['INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'ABORTED', 'CANCELLED', 'DEADLINE_EXCEEDED'].map(
    (code) => [`${code} alone`, canonical(500, code), again(code)] as const,
  ),
  ['502, a page', badGateway(), again('HTTP 502')],
  ['503, empty', reply(503, { 'retry-after': '7' }), hold('HTTP 503', O.some(7000))],
  ['400, no JSON', reply(400), refused('HTTP 400')],
  ['408', reply(408), again('HTTP 408')],
  ['413', reply(413), refused('HTTP 413')],
  ['425', reply(425), again('HTTP 425')],
  ['429', reply(429), hold('HTTP 429')],
  ['503', reply(503), hold('HTTP 503')],
  ['500 with Retry-After', reply(500, { 'retry-after': '3' }), hold('HTTP 500', O.some(3000))],
  ['401, a page', reply(401), senderError('HTTP 401')],
  ['403, a page', reply(403), senderError('HTTP 403')],
  ['404, a page', reply(404, {}, '<p>'), senderError('HTTP 404')],
  ['a redirection', reply(302, { location: 'https://example.org/' }), senderError('HTTP 302')],
  ['a name of every object', replyJson(400, { error: { status: 'constructor' } }), refused('HTTP 400')],
  ['JSON of another shape', replyJson(500, { error: { details: [null, 1], status: 5 } }), again('HTTP 500')],
]

t.test('G5: each row of the outcome table has its FCM response', async (t) => {
  const { fcm, push } = await withFcm(t)
  for (const [name, answer, result] of ROWS) {
    fcm.always(name, answer)
    t.strictSame(await push(name), result, name)
  }
})

t.test('G5: each code of the tables was tested', async (t) => {
  const said = JSON.stringify(ROWS.map(([, answer]) => answer))
  const codes = [
    ...Object.keys(BY_ERROR_CODE),
    ...Object.keys(BY_CANONICAL_CODE),
    ...Object.keys(BY_HTTP_STATUS),
  ]
  // What FCM says to a token that has run out is proved with the tokens.
  for (const code of codes.filter((code) => code !== 'UNAUTHENTICATED')) t.ok(said.includes(code), code)
})

t.test('G5: a Retry-After date counts from now', async (t) => {
  const now = instant(1_800_000_000_000)
  const answer = { status: 503, retryAfter: new Date(now + 90_000).toUTCString(), body: '' }
  t.strictSame(outcomeOf(answer, now), hold('HTTP 503', O.some(90_000)))
})

t.test('G15: THIRD_PARTY_AUTH_ERROR of iPhones says nothing of FCM, which accepts the others', async (t) => {
  const { fcm, push } = await withFcm(t)
  const tokens = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? `iphone-${n}` : `android-${n}`))
  for (const token of tokens) if (token.startsWith('i')) fcm.always(token, fcmError('THIRD_PARTY_AUTH_ERROR'))
  const results = await Promise.all(tokens.map((token) => push(token)))
  t.strictSame(
    results,
    tokens.map((token) => (token.startsWith('i') ? partnerError('THIRD_PARTY_AUTH_ERROR') : DELIVERED)),
  )
  t.equal(fcm.oauth.requests.length, 1, 'and does not cause a new access token')
})

t.test('a reason is a word of the tables or the status number, for any response', async (t) => {
  const codes = [...Object.keys(BY_ERROR_CODE), ...Object.keys(BY_CANONICAL_CODE)]
  const said = fc.oneof(fc.string(), fc.constantFrom('a-secret-token', 'toString', '__proto__', ...codes))
  const details = fc.array(
    fc.record({ errorCode: said, fieldViolations: fc.tuple(fc.record({ field: said, description: said })) }),
    { maxLength: 2 },
  )
  const error = fc.record({ status: said, message: said, details })
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), error, said, (status, error, after) => {
      const body = JSON.stringify({ error })
      const outcome = outcomeOf({ status, retryAfter: after, body }, instant(0))
      const words = [...codes, `HTTP ${status}`]
      return outcome._tag !== 'Delivered' && words.includes(outcome.reason)
    }),
  )
  t.pass()
})

t.test('a token repeated by FCM is in no reason', async (t) => {
  const { fcm, push } = await withFcm(t)
  const token = 'a-secret-token'
  const repeated = { status: token, message: token, details: [{ errorCode: token, token }] }
  const rows = [
    [permissionDenied(token), senderError('PERMISSION_DENIED')],
    [badField('message.token', token), unregistered('INVALID_ARGUMENT')],
    [replyJson(400, { error: repeated }), refused('HTTP 400')],
    [replyJson(403, { error: repeated }), senderError('HTTP 403')],
    [replyJson(500, { error: repeated }), again('HTTP 500')],
    [reply(502, {}, token), again('HTTP 502')],
  ] as const
  for (const [answer, result] of rows) {
    fcm.next(token, answer)
    t.strictSame(await push(token), result)
  }
})
