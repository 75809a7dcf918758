import type { Subscription } from '@almoner/domain/people'
import webPush from 'web-push'

/** A message to be encrypted for a subscription. */
export interface Job {
  readonly keys: Subscription['keys']
  readonly plaintext: Uint8Array
}

/** A body as it is sent; undefined when nothing can be encrypted with the subscription's keys. */
export type Body = Uint8Array | undefined

/** Encrypts for a subscription (RFC 8291, RFC 8188). The body's memory is its own. */
const encrypt = ({ keys, plaintext }: Job): Body => {
  try {
    return Uint8Array.from(
      webPush.encrypt(keys.p256dh, keys.auth, Buffer.from(plaintext), 'aes128gcm').cipherText,
    )
  } catch {
    // A key of the wrong length, or one that is no point of the curve.
    return undefined
  }
}

/** Encrypts one after the other, in the thread that it is called in; gives as many bodies, in the same order. */
export const encryptAll = (jobs: ReadonlyArray<Job>): ReadonlyArray<Body> => jobs.map(encrypt)

/** As piscina looks for it when this file is a thread. */
export default encryptAll
