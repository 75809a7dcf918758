import { reply, retryAfter, type ScriptedResponse } from '../server/answer.ts'

/** The subscription is not there any more: 404 or 410 (https://www.rfc-editor.org/rfc/rfc8030#section-7.3). */
export const webPushGone = (status: 404 | 410 = 410): ScriptedResponse =>
  reply(status, {}, 'NoSuchSubscription')

/**
 * Too much at once: 429 (https://www.rfc-editor.org/rfc/rfc8030#section-8.4), of Windows 406, "exceeded its throttle limit"
 * (https://learn.microsoft.com/windows/apps/windows-app-sdk/notifications/push-notifications/troubleshooting).
 */
export const webPushTooMany = (retry?: number | Date, status: 429 | 406 = 429): ScriptedResponse =>
  reply(status, retryAfter(retry))

/** A fault of the service, or of what stands before it. */
export const webPushFault = (status: 500 | 502 | 503 | 504, retry?: number | Date): ScriptedResponse =>
  reply(status, retryAfter(retry))

/** Redirects the client, which must not follow: otherwise a caller who attaches a device would choose where we send. */
export const redirect = (location: string, status: 301 | 302 | 303 | 307 | 308 = 307): ScriptedResponse =>
  reply(status, { location })
