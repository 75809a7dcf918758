import type { PushMessage, Subscription } from '@almoner/domain'
import webPush from 'web-push'
import { payloadOf } from './payload.ts'

/** "A push service MUST support at least 4096 bytes" of body, and may refuse more (https://www.rfc-editor.org/rfc/rfc8030#section-7.2). */
export const MOST_BYTES = 4096

/**
 * What encryption adds: the header with its salt 16, record size 4, length of the key 1 and key 65, then the delimiter 1 and the tag 16
 * of the one record (https://www.rfc-editor.org/rfc/rfc8188#section-2, https://www.rfc-editor.org/rfc/rfc8291#section-4).
 */
const ADDED = 16 + 4 + 1 + 65 + 1 + 16

const plaintextOf = (message: PushMessage): Buffer => Buffer.from(JSON.stringify(payloadOf(message)))

/** The bytes of a message's body as it is sent, so that 4,096 is the limit (G6). */
export const bytesOf = (message: PushMessage): number => plaintextOf(message).length + ADDED

/**
 * The body for a subscription, encrypted (RFC 8291, RFC 8188).
 * @returns undefined when nothing can be encrypted with the subscription's keys
 */
export const encryptFor = ({ keys }: Subscription, message: PushMessage): Buffer | undefined => {
  try {
    return webPush.encrypt(keys.p256dh, keys.auth, plaintextOf(message), 'aes128gcm').cipherText
  } catch {
    // A key of the wrong length, or one that is no point of the curve.
    return undefined
  }
}
