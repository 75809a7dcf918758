import type { Instant } from '@almoner/domain'
import {
  DELIVERED,
  holdBack,
  type Push,
  type PushMessage,
  type PushResult,
  partnerError,
  refused,
  retry,
  senderError,
  UNANSWERED,
  unregistered,
} from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { isCertificateFault, type PostResponse } from '../connections.ts'
import { retryAfter } from '../retry-after.ts'

/** For how long a message may be kept, and what makes a second push of it replace the first. */
type FcmLife = Pick<Push, 'notificationId' | 'endsAt'>

/** Members are left out rather than empty: FCM takes an empty image for an address that is wrong. */
const given = <K extends string>(name: K, value: string): Partial<Record<K, string>> =>
  value === '' ? {} : ({ [name]: value } as Record<K, string>)

/** Where a platform has no place for a subtitle, it comes before the body. */
const withSubtitle = ({ subtitle, body }: PushMessage): string =>
  [subtitle, body].filter((text) => text !== '').join('\n')

/** At most 32 characters of the URL-safe alphabet (https://www.rfc-editor.org/rfc/rfc8030#section-5.4): a UUID without its hyphens. */
const topicOf = (id: string): string => id.replaceAll('-', '')

/** `notification`: what every platform starts from. */
const notificationOf = ({ title, body, data }: PushMessage) => ({
  title,
  ...given('body', body),
  ...given('image', data.visualUrl),
})

/** What Android shows otherwise than the rest. An icon is a resource of the app there, so ours travels in the data. */
const androidNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  color: message.data.color,
  tag: message.data.notificationId,
})

/** What goes to APNs. An image wants the app's extension, which `mutable-content` wakes. */
const apnsPayload = ({ title, subtitle, body, data }: PushMessage) => ({
  aps: {
    alert: { title, ...given('subtitle', subtitle), ...given('body', body) },
    sound: 'default',
    ...(data.visualUrl !== '' && { 'mutable-content': 1 }),
  },
})

/** What a browser's service worker is given to show; a click finds the data there too. */
const webpushNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  ...given('icon', message.data.iconUrl),
  ...given('image', message.data.visualUrl),
  tag: message.data.notificationId,
  data: message.data,
})

/** "For all URL values, HTTPS is required" (WebpushFcmOptions of the reference). */
const linkOf = (actionUrl: string): string => (/^https:/i.test(actionUrl) ? actionUrl : '')

/** `fcm_options` of the web, empty without a link that it may hold. */
const webpushOptions = ({ data }: PushMessage) => given('link', linkOf(data.actionUrl))

/** `fcm_options` of APNs, empty without an image. */
const apnsOptions = ({ data }: PushMessage) => given('image', data.visualUrl)

/**
 * Returns a message of FCM HTTP v1 without its recipient (G6, https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). It
 * covers Android, iPhones and browsers, because only FCM knows the kind of a token.
 * @param left seconds for which it may be stored
 */
export const fcmContent = (message: PushMessage, { notificationId, endsAt }: FcmLife, left: number) => {
  const web = webpushOptions(message)
  const apple = apnsOptions(message)
  return {
    notification: notificationOf(message),
    data: message.data,
    android: {
      ttl: `${left}s`,
      collapse_key: notificationId,
      notification: androidNotification(message),
    },
    apns: {
      headers: {
        'apns-expiration': String(Math.max(0, Math.floor(endsAt / SECOND))),
        'apns-collapse-id': notificationId,
      },
      payload: apnsPayload(message),
      ...('image' in apple && { fcm_options: apple }),
    },
    webpush: {
      headers: { TTL: String(left), Topic: topicOf(notificationId) },
      notification: webpushNotification(message),
      ...('link' in web && { fcm_options: web }),
    },
  }
}

/** Whom a message is for; `fid` is the Firebase installation id. */
export type FcmTarget = { readonly token: string } | { readonly fid: string } | { readonly topic: string }

/** What FCM keeps no longer than: "between 0 and 2,419,200 (4 weeks)" (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). */
const LONGEST = 2_419_200

/** Whole seconds that are left. */
const secondsLeft = (endsAt: Instant, now: Instant): number =>
  Math.min(LONGEST, Math.max(0, Math.floor((endsAt - now) / SECOND)))

/** The parts of a request that are the same for all devices within a second. */
interface Rendered extends FcmLife {
  readonly left: number
  /** The JSON of the message behind its target, to the end of the request. */
  readonly rest: string
}

/**
 * Gives the JSON of requests, `{"message":{…}}`. All but the target is put into JSON once for all devices that get the same within a second:
 * doing so for each would take as long as sending it.
 */
export const makeRenderer = () => {
  const kept = new WeakMap<PushMessage, Rendered>()

  const render = (message: PushMessage, { notificationId, endsAt }: FcmLife, left: number): Rendered => {
    const found = kept.get(message)
    if (found?.left === left && found.notificationId === notificationId && found.endsAt === endsAt)
      return found
    const json = JSON.stringify(fcmContent(message, { notificationId, endsAt }, left))
    const rendered = { notificationId, endsAt, left, rest: `,${json.slice(1)}}` }
    kept.set(message, rendered)
    return rendered
  }

  return (target: FcmTarget, message: PushMessage, life: FcmLife, now: Instant): string => {
    const { rest } = render(message, life, secondsLeft(life.endsAt, now))
    // Both are objects that are not empty.
    return `{"message":${JSON.stringify(target).slice(0, -1)}${rest}`
  }
}

const utf8 = (text: string): number => Buffer.byteLength(text)

/** "This includes both the keys and the values" (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). */
const keysAndValues = (...fields: ReadonlyArray<Readonly<Record<string, string>>>): number =>
  fields.flatMap((each) => Object.entries(each)).reduce((sum, entry) => sum + utf8(entry.join('')), 0)

const json = (value: unknown): number => utf8(JSON.stringify(value))

/**
 * What FCM counts of a message against its 4,096 bytes (G6): on Android keys and values, elsewhere the JSON that it makes for APNs or
 * for a browser. The greatest counts, because a token does not say which of them it is for.
 */
export const bytesOf = (message: PushMessage): number => {
  const { data } = message
  const notification = notificationOf(message)
  return Math.max(
    keysAndValues(data, notification, androidNotification(message)),
    json({ ...apnsPayload(message), ...data, fcm_options: apnsOptions(message) }),
    json({
      notification: { ...notification, ...webpushNotification(message) },
      data,
      fcmOptions: webpushOptions(message),
    }),
  )
}

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
