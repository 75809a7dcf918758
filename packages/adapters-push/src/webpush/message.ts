import { hash } from 'node:crypto'
import type { Instant } from '@almoner/domain'
import type { Push, PushMessage } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import { dataOf } from '../data.ts'

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

/** "The number 8030" marks a declarative push message (https://w3c.github.io/push-api/#declarative-push-message). */
const WEB_PUSH = 8030

const unlessEmpty = (name: string, text: string): Readonly<Record<string, string>> =>
  text === '' ? {} : { [name]: text }

const lines = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== '').join('\n')

/**
 * Returns the payload for a browser (G6): the JSON of a declarative push message of the W3C (https://w3c.github.io/push-api/#declarative-push-message,
 * https://webkit.org/blog/16535/meet-declarative-web-push/). A browser that knows the form shows it by itself; in others, and where there
 * is no `navigate`, a service worker gets it as it is and calls `showNotification(notification.title, notification)`.
 *
 * Notifications of the web have no subtitle: it is the first line of the body. An address that is absent is left out, as an empty one
 * would mean the page itself. By `tag` a second push replaces the first (G5).
 */
export const payloadOf = ({ title, subtitle, body, data }: PushMessage) => ({
  web_push: WEB_PUSH,
  notification: {
    title,
    lang: data.lang,
    ...unlessEmpty('body', lines(subtitle, body)),
    ...unlessEmpty('navigate', data.actionUrl),
    ...unlessEmpty('image', data.visualUrl),
    ...unlessEmpty('icon', data.iconUrl),
    tag: data.notificationId,
    data: dataOf({ data }),
  },
})

/** "A push service MUST support at least 4096 bytes" of body, and may refuse more (https://www.rfc-editor.org/rfc/rfc8030#section-7.2). */
export const MOST_BYTES = 4096

/**
 * "This message is intended for a constrained device and is limited to 3070 bytes": Mozilla's service carries the body to Android through FCM, and
 * says so by 413 with errno 104 (https://github.com/SherClockHolmes/webpush-go/issues/23,
 * https://github.com/web-push-libs/web-push-php/issues/108). Its endpoints do not show the device.
 */
export const FIREFOX_ANDROID = 3070

/**
 * What encryption adds: the header with its salt 16, record size 4, length of the key 1 and key 65, then the delimiter 1 and the tag 16
 * of the one record (https://www.rfc-editor.org/rfc/rfc8188#section-2, https://www.rfc-editor.org/rfc/rfc8291#section-4).
 */
const ADDED = 16 + 4 + 1 + 65 + 1 + 16

const kept = new WeakMap<PushMessage, Uint8Array>()

/** The plaintext, rendered once for all browsers. It has separate memory, because it may be sent to threads. */
export const plaintextOf = (message: PushMessage): Uint8Array => {
  const plaintext = kept.get(message) ?? new TextEncoder().encode(JSON.stringify(payloadOf(message)))
  kept.set(message, plaintext)
  return plaintext
}

/** The bytes of a message's body as it is sent, so that 4,096 is the limit (G6). */
export const bytesOf = (message: PushMessage): number => plaintextOf(message).length + ADDED
