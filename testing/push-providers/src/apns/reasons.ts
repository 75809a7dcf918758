import { replyJson, retryAfter, type ScriptedResponse } from '../server/answer.ts'

/**
 * The reasons that APNs gives, with their statuses ("Understand error codes" of
 * https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns).
 */
export const REASONS = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  BadEnvironmentKeyInToken: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const

export type ApnsReason = keyof typeof REASONS

const HEADERS = { 'content-type': 'application/json' }

/** A refusal: JSON with a `reason` (the same page). `Retry-After` is not in Apple's page; one may still be sent. */
export const apnsError = (
  reason: Exclude<ApnsReason, 'Unregistered' | 'ExpiredToken'>,
  retry?: number | Date,
): ScriptedResponse => replyJson(REASONS[reason], { reason }, { ...HEADERS, ...retryAfter(retry) })

/**
 * The device is gone: 410 with `timestamp`, "the time, represented in milliseconds since Epoch, at which APNs confirmed the token was no
 * longer valid for the topic" (the same page). A device that was attached again later may be alive.
 */
export const apnsGone = (
  at: Date,
  reason: 'Unregistered' | 'ExpiredToken' = 'Unregistered',
): ScriptedResponse => replyJson(REASONS[reason], { reason, timestamp: at.getTime() }, HEADERS)
