import type { PushMessage } from '@almoner/domain/notifications'
import { payloadOf } from './payload.ts'

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
