import type { Instant } from '@almoner/domain'
import {
  DELIVERED,
  holdBack,
  type PushResult,
  partnerError,
  refused,
  retry,
  senderError,
  UNANSWERED,
  unregistered,
} from '@almoner/domain/notifications'
import * as O from 'fp-ts/lib/Option.js'
import { isCertificateFault } from '../connections.ts'
import { type PostResponse, retryAfter } from '../post.ts'

/** What FCM says went wrong, as far as it can be made out. */
interface FcmFailure {
  /** `errorCode` of the `FcmError` among the details; empty where there is none. */
  readonly errorCode: string
  /** The canonical code, as `NOT_FOUND`; empty where there is none. */
  readonly status: string
  readonly message: string
  /** The fields that a `BadRequest` among the details names. */
  readonly fields: ReadonlyArray<string>
}

type Json = Readonly<Record<string, unknown>>

const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.map(recordOf) : [])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads an answer as a JSON object; an empty one when it is none, since servers before Google's answer in pages. */
export const readJson = (body: string): Json => {
  try {
    return recordOf(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Reads an `error` with its `details` (https://firebase.google.com/docs/cloud-messaging/error-codes); any text will do. */
const readFailure = (body: string): FcmFailure => {
  const error = recordOf(readJson(body)['error'])
  const details = listOf(error['details'])
  return {
    errorCode: textOf(details.find((detail) => textOf(detail['errorCode']) !== '')?.['errorCode']),
    status: textOf(error['status']),
    message: textOf(error['message']),
    fields: details.flatMap((detail) => listOf(detail['fieldViolations'])).map(({ field }) => textOf(field)),
  }
}

/** `busy`: the service asks us to wait. `ours`: it refuses us. `partner`: it takes pushes from us, but lacks our credentials for another service. */
type Verdict = 'dead' | 'refused' | 'retry' | 'busy' | 'ours' | 'argument' | 'partner'

/**
 * `errorCode` of FCM (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). A code not listed here goes by its canonical
 * code, as `UNSPECIFIED_ERROR` does.
 */
export const BY_ERROR_CODE: Readonly<Record<string, Verdict>> = {
  // "App instance was unregistered from FCM": the token "is no longer valid".
  UNREGISTERED: 'dead',
  // "invalid registration, invalid package name, message too big, invalid data key, invalid TTL": told apart below.
  INVALID_ARGUMENT: 'argument',
  // "The authenticated sender ID is different from the sender ID for the registration token": ours, or that of one device alone (G15).
  SENDER_ID_MISMATCH: 'ours',
  // "Sending limit exceeded for the message target."
  QUOTA_EXCEEDED: 'busy',
  // "The server is overloaded": "honor the Retry-After header".
  UNAVAILABLE: 'busy',
  // "An unknown internal error occurred": "retry the same request".
  INTERNAL: 'retry',
  // "APNs certificate or web push auth key was invalid or missing": it lies in the Firebase project, and Android goes on without.
  THIRD_PARTY_AUTH_ERROR: 'partner',
}

/** Canonical codes, without an `errorCode` (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto). */
export const BY_CANONICAL_CODE: Readonly<Record<string, Verdict>> = {
  INVALID_ARGUMENT: 'argument',
  FAILED_PRECONDITION: 'refused',
  OUT_OF_RANGE: 'refused',
  ALREADY_EXISTS: 'refused',
  // The key, the account's role, the project, its interface that is not switched on: nothing is said of the device.
  UNAUTHENTICATED: 'ours',
  PERMISSION_DENIED: 'ours',
  NOT_FOUND: 'ours',
  UNIMPLEMENTED: 'ours',
  RESOURCE_EXHAUSTED: 'busy',
  UNAVAILABLE: 'busy',
  INTERNAL: 'retry',
  UNKNOWN: 'retry',
  DATA_LOSS: 'retry',
  ABORTED: 'retry',
  CANCELLED: 'retry',
  DEADLINE_EXCEEDED: 'retry',
}

/** Answers with neither, from what stands before FCM (https://www.rfc-editor.org/rfc/rfc9110#section-15). */
export const BY_HTTP_STATUS: Readonly<Record<number, Verdict>> = {
  400: 'refused',
  408: 'retry',
  413: 'refused',
  425: 'retry',
  429: 'busy',
  503: 'busy',
}

/** Second example of https://firebase.google.com/docs/cloud-messaging/error-codes. */
const INVALID_TOKEN = 'The registration token is not a valid FCM registration token'
const TOKEN_FIELDS = ['message.token', 'message.fid']

/**
 * `INVALID_ARGUMENT` speaks against a token only where nothing is wrong with the payload
 * (https://firebase.google.com/docs/cloud-messaging/manage-tokens#detect-invalid-token-responses-from-the-fcm-backend). A payload that is
 * too big looks like a bad token in all but the text, so only a word about the token itself counts.
 */
const isAboutToken = ({ message, fields }: FcmFailure): boolean =>
  fields.length > 0 ? fields.every((field) => TOKEN_FIELDS.includes(field)) : message === INVALID_TOKEN

const byStatus = (status: number): Verdict => BY_HTTP_STATUS[status] ?? (status >= 500 ? 'retry' : 'ours')

const own = <A>(table: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const classify = (status: number, failure: FcmFailure): readonly [Verdict, string] => {
  const byError = own(BY_ERROR_CODE, failure.errorCode)
  if (byError !== undefined) return [byError, failure.errorCode]
  const byCode = own(BY_CANONICAL_CODE, failure.status)
  return byCode === undefined ? [byStatus(status), `HTTP ${status}`] : [byCode, failure.status]
}

/** What an answer of FCM's says about a push (G5). Reasons are words of the tables above, never what FCM wrote. */
export const outcomeOf = (
  answer: Pick<PostResponse, 'status' | 'body' | 'retryAfter'> & Partial<Pick<PostResponse, 'date'>>,
  now: Instant,
): PushResult => {
  if (answer.status >= 200 && answer.status < 300) return DELIVERED
  const failure = readFailure(answer.body)
  const [verdict, reason] = classify(answer.status, failure)
  const asked = retryAfter(answer.retryAfter, now, answer.date)
  switch (verdict) {
    case 'dead':
      return unregistered(reason)
    case 'argument':
      return isAboutToken(failure) ? unregistered(reason) : refused(reason)
    case 'refused':
      return refused(reason)
    case 'partner':
      return partnerError(reason)
    case 'ours':
      return senderError(reason)
    case 'retry':
      return O.isSome(asked) ? holdBack(asked, reason) : retry(O.none, reason)
    case 'busy':
      return holdBack(asked, reason)
  }
}

/** A push that got no answer: it may get one later, unless another server answers there. */
export const unanswered = (error: unknown): PushResult =>
  isCertificateFault(error) ? senderError('CERTIFICATE') : UNANSWERED

/** Whether an answer is about our access token, rather than about the project's keys at APNs. */
export const isAboutAccess = (outcome: PushResult): boolean =>
  outcome._tag === 'SenderError' && (outcome.reason === 'UNAUTHENTICATED' || outcome.reason === 'HTTP 401')
