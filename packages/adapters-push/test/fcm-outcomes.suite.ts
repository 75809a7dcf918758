import { instant } from '@almoner/domain'
import {
  type Answer,
  badField,
  badGateway,
  fcmError,
  messageTooBig,
  permissionDenied,
  reply,
  replyJson,
} from '@almoner/loopback-providers'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { BY_CANONICAL_CODE, BY_ERROR_CODE, BY_HTTP_STATUS, outcomeOf } from '../src/fcm/outcomes.ts'
import { withFcm } from './fcm.ts'

const RETRY = { _tag: 'Retry', after: O.none }
const WAIT = { _tag: 'Retry', after: O.some(60_000) }
const REFUSED = { _tag: 'Refused' }
const DEAD = { _tag: 'Dead' }
const ours = (reason: string) => ({ _tag: 'OurFault', reason })

/** A failure with a canonical code alone. */
const canonical = (status: number, code: string, headers = {}): Answer =>
  replyJson(status, { error: { code: status, status: code, message: 'a secret' } }, headers)

const ROWS: ReadonlyArray<readonly [string, Answer, object]> = [
  ['UNREGISTERED', fcmError('UNREGISTERED'), DEAD],
  ['INVALID_ARGUMENT of the token', fcmError('INVALID_ARGUMENT'), DEAD],
  ['INVALID_ARGUMENT: too big', messageTooBig(), REFUSED],
  ['a bad field', badField('message.data[0].value', 'Invalid value'), REFUSED],
  ['a bad token, as a field', badField('message.token', 'Invalid registration token'), DEAD],
  ['a bad fid, as a field', badField('message.fid', 'Invalid'), DEAD],
  ['SENDER_ID_MISMATCH', fcmError('SENDER_ID_MISMATCH'), REFUSED],
  ['QUOTA_EXCEEDED', fcmError('QUOTA_EXCEEDED'), WAIT],
  ['QUOTA_EXCEEDED, 30', fcmError('QUOTA_EXCEEDED', 30), { _tag: 'Retry', after: O.some(30_000) }],
  ['UNAVAILABLE', fcmError('UNAVAILABLE'), RETRY],
  ['UNAVAILABLE, 0', fcmError('UNAVAILABLE', 0), { _tag: 'Retry', after: O.some(0) }],
  ['INTERNAL', fcmError('INTERNAL'), RETRY],
  ['THIRD_PARTY_AUTH_ERROR', fcmError('THIRD_PARTY_AUTH_ERROR'), ours('THIRD_PARTY_AUTH_ERROR')],
  ['another project', permissionDenied('else'), ours('PERMISSION_DENIED')],
  ['a place that is not there', canonical(404, 'NOT_FOUND'), ours('NOT_FOUND')],
  ['not switched on', canonical(501, 'UNIMPLEMENTED'), ours('UNIMPLEMENTED')],
  ['a payload', canonical(400, 'INVALID_ARGUMENT'), REFUSED],
  ['FAILED_PRECONDITION', canonical(400, 'FAILED_PRECONDITION'), REFUSED],
  ['OUT_OF_RANGE', canonical(400, 'OUT_OF_RANGE'), REFUSED],
  ['ALREADY_EXISTS', canonical(409, 'ALREADY_EXISTS'), REFUSED],
  ['RESOURCE_EXHAUSTED', canonical(429, 'RESOURCE_EXHAUSTED'), WAIT],
  ...['UNAVAILABLE', 'INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'ABORTED', 'CANCELLED', 'DEADLINE_EXCEEDED'].map(
    (code) => [`${code} alone`, canonical(500, code), RETRY] as const,
  ),
  ['502, a page', badGateway(), RETRY],
  ['503, empty', reply(503, { 'retry-after': '7' }), { _tag: 'Retry', after: O.some(7000) }],
  ['400, no JSON', reply(400), REFUSED],
  ['408', reply(408), RETRY],
  ['413', reply(413), REFUSED],
  ['425', reply(425), RETRY],
  ['429', reply(429), WAIT],
  ['401, a page', reply(401), ours('HTTP 401')],
  ['403, a page', reply(403), ours('HTTP 403')],
  ['404, a page', reply(404, {}, '<p>'), ours('HTTP 404')],
  ['a redirection', reply(302, { location: 'https://example.org/' }), ours('HTTP 302')],
  ['a name of every object', replyJson(400, { error: { status: 'constructor' } }), REFUSED],
  ['JSON of another shape', replyJson(500, { error: { details: [null, 1], status: 5 } }), RETRY],
]

t.test('G5: the table of outcomes, row by row, as FCM answers them', async (t) => {
  const { fcm, push } = await withFcm(t)
  for (const [name, answer, result] of ROWS) {
    fcm.always(name, answer)
    t.strictSame(await push(name), result, name)
  }
})

t.test('G5: each code of the tables has been answered', async (t) => {
  const said = JSON.stringify(ROWS.map(([, answer]) => answer))
  const codes = [
    ...Object.keys(BY_ERROR_CODE),
    ...Object.keys(BY_CANONICAL_CODE),
    ...Object.keys(BY_HTTP_STATUS),
  ]
  // What FCM says to a token that has run out is proved with the tokens.
  for (const code of codes.filter((code) => code !== 'UNAUTHENTICATED')) t.ok(said.includes(code), code)
})

t.test('G5: a Retry-After that is a date counts from now', async (t) => {
  const now = instant(1_800_000_000_000)
  const answer = { status: 503, retryAfter: new Date(now + 90_000).toUTCString(), body: '' }
  t.strictSame(outcomeOf(answer, now), { _tag: 'Retry', after: O.some(90_000) })
})

t.test(
  'G5: strange tokens stop nobody once a push was taken; before, many of them are our fault',
  async (t) => {
    const strange = async (first: 'taken' | 'none') => {
      const { fcm, push } = await withFcm(t)
      if (first === 'taken') await push('known')
      fcm.otherwise(fcmError('SENDER_ID_MISMATCH'))
      const results = await Promise.all(Array.from({ length: 40 }, (_, n) => push(`strange-${n}`)))
      return results.map(({ _tag }) => _tag)
    }
    t.strictSame(new Set(await strange('taken')), new Set(['Refused']))
    const none = await strange('none')
    t.equal(none.filter((tag) => tag === 'Refused').length, 19)
    t.equal(none.filter((tag) => tag === 'OurFault').length, 21)
  },
)
