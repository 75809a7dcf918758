import { hash } from 'node:crypto'
import type { Instant } from '@almoner/domain'
import type { Push } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'

/** Four weeks: the longest that a service is known to keep a message (https://firebase.google.com/docs/cloud-messaging/customize-messages/setting-message-lifespan). */
const LONGEST = 28 * 86_400

const ttlOf = (endsAt: Instant, now: Instant): number =>
  Math.min(Math.max(Math.floor((endsAt - now) / SECOND), 0), LONGEST)

/**
 * "no more than 32 characters from the URL and filename-safe Base64 alphabet" (https://www.rfc-editor.org/rfc/rfc8030#section-5.4), of which
 * Mozilla takes letters and digits alone (https://mozilla-services.github.io/autopush-rs/errors.html, errno 113).
 */
const topicOf = (notificationId: string): string => hash('sha256', notificationId).slice(0, 32)

/**
 * Returns the headers of a push without its authorization: its lifetime, the push that it replaces while it waits (G5), and its
 * encryption. Urgency is `normal`, the class of a message from a person; `high` is for calls and alarms, which wake a device that saves its
 * battery (https://www.rfc-editor.org/rfc/rfc8030#section-5.3).
 */
export const headersOf = (
  { notificationId, endsAt }: Pick<Push, 'notificationId' | 'endsAt'>,
  now: Instant,
): Readonly<Record<string, string>> => ({
  ttl: String(ttlOf(endsAt, now)),
  topic: topicOf(notificationId),
  urgency: 'normal',
  'content-type': 'application/octet-stream',
  'content-encoding': 'aes128gcm',
})
