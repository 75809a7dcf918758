import type { Instant } from '@almoner/domain'
import {
  DELIVERED,
  holdBack,
  type Push,
  type PushResult,
  refused,
  retry,
  senderError,
  UNANSWERED,
  unregistered,
} from '@almoner/domain/notifications'
import { isFarAhead } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { PostResponse } from '../connections.ts'
import { retryAfter } from '../retry-after.ts'

/** An answer of APNs. */
interface Reply {
  readonly status: number
  /** Apple's word, or anything that a machine between has said: not for logs. Empty where there is none. */
  readonly reason: string
  /** Milliseconds since the epoch at which the device was found to be gone. Not a number where the answer does not say. */
  readonly timestamp: number
  readonly retryAfter: string | undefined
  readonly date?: string | undefined
}

/** The outcome of a request: an answer, none within its time, or a server whose certificate is not trusted. */
export type Exchanged = Reply | 'silence' | 'certificate'

const parse = (body: string): Readonly<Record<string, unknown>> => {
  // A success is empty. An exception for each would cost a third of a push.
  if (body === '') return {}
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // A machine between may answer with a page.
    return {}
  }
}

/** Reads an answer; its body may be any text. */
export const readReply = ({ status, retryAfter, date, body }: PostResponse): Reply => {
  const { reason, timestamp } = parse(body)
  return {
    status,
    reason: typeof reason === 'string' ? reason : '',
    timestamp: Number(timestamp ?? Number.NaN),
    retryAfter,
    date,
  }
}

/** What a reason means for a push (G5). */
type ApnsOutcome = 'dead' | 'deadSince' | 'retry' | 'busy' | 'refused' | 'ourFault' | 'wrongEnvironment'

/**
 * What each reason of Apple's means, from "Understand error codes" of
 * https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns.
 */
export const OUTCOMES: Readonly<Record<string, ApnsOutcome>> = {
  // 400: something about this request, which will be the same the next time.
  BadCollapseId: 'refused',
  BadExpirationDate: 'refused',
  BadMessageId: 'refused',
  BadPriority: 'refused',
  DuplicateHeaders: 'refused',
  InvalidPushType: 'refused',
  MissingDeviceToken: 'refused',
  PayloadEmpty: 'refused',
  // "Verify that the request contains a valid token and that the token matches the environment."
  BadDeviceToken: 'dead',
  // Another app's device, or a wrong topic of ours: one such device must not stop the others, nor a wrong topic lose them all.
  DeviceTokenNotForTopic: 'refused',
  BadTopic: 'ourFault',
  MissingTopic: 'ourFault',
  TopicDisallowed: 'ourFault',
  // The connection had been idle for too long.
  IdleTimeout: 'retry',
  // 403: our credentials.
  BadCertificate: 'ourFault',
  BadCertificateEnvironment: 'ourFault',
  ExpiredProviderToken: 'ourFault',
  Forbidden: 'ourFault',
  InvalidProviderToken: 'ourFault',
  MissingProviderToken: 'ourFault',
  UnrelatedKeyIdInToken: 'ourFault',
  // A key may be for one environment alone. The page has had both spellings.
  BadEnvironmentKeyInToken: 'wrongEnvironment',
  BadEnvironmentKeyIdInToken: 'wrongEnvironment',
  // 404, 405: the server is not APNs.
  BadPath: 'ourFault',
  MethodNotAllowed: 'ourFault',
  // 410, with the time at which the device was found to be gone.
  ExpiredToken: 'deadSince',
  Unregistered: 'deadSince',
  // 413
  PayloadTooLarge: 'refused',
  // 429: a provider token that changes too often is good again after a while.
  TooManyProviderTokenUpdates: 'busy',
  // "Too many requests were made consecutively to the same device token": that device alone waits (G15).
  TooManyRequests: 'retry',
  // 500, 503
  InternalServerError: 'retry',
  ServiceUnavailable: 'busy',
  Shutdown: 'busy',
}

/** For answers without a reason that is known, from "Status code" of the same page. All others are tried again. */
const BY_STATUS: Readonly<Record<number, ApnsOutcome>> = {
  400: 'refused',
  403: 'ourFault',
  404: 'ourFault',
  405: 'ourFault',
  410: 'deadSince',
  413: 'refused',
  503: 'busy',
}

type PushFacts = Pick<Push, 'attachedAt' | 'destination'>

/** Apple's 429 concerns one device; with other answers `Retry-After` is for all (G15). */
const again = (status: number, asked: O.Option<number>, word: string): PushResult =>
  status === 429 || O.isNone(asked) ? retry(asked, word) : holdBack(asked, word)

const resultOfReply = (
  { status, reason, timestamp, retryAfter: after, date }: Reply,
  { attachedAt, destination }: PushFacts,
  now: Instant,
): PushResult => {
  if (status === 200) return DELIVERED
  const known = Object.hasOwn(OUTCOMES, reason) ? OUTCOMES[reason] : undefined
  // Words that Apple does not use may be anybody's, and hold anything.
  const word = known === undefined ? `HTTP ${status}` : reason
  const asked = retryAfter(after, now, date)
  switch (known ?? BY_STATUS[status] ?? 'retry') {
    case 'dead':
      return unregistered(word)
    case 'deadSince':
      // A device that was attached again after that may be valid, but this push is not taken for it (G15).
      // One that a clock ahead has attached says nothing of when that was (I9).
      return timestamp <= attachedAt && !isFarAhead(attachedAt, now) ? refused(word) : unregistered(word)
    case 'wrongEnvironment':
      // A developer's device must not stop the others.
      return destination.provider === 'apns' && destination.sandbox ? refused(word) : senderError(word)
    case 'refused':
      return refused(word)
    case 'ourFault':
      return senderError(word)
    case 'busy':
      return holdBack(asked, word)
    case 'retry':
      return again(status, asked, word)
  }
}

/** What came of a push, for a clock that shows `now` (G5). A server that is not to be trusted is for the operator to look at. */
export const resultOf = (exchanged: Exchanged, push: PushFacts, now: Instant): PushResult => {
  if (exchanged === 'silence') return UNANSWERED
  return exchanged === 'certificate' ? senderError('CERTIFICATE') : resultOfReply(exchanged, push, now)
}
