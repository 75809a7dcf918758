import {
  createCipheriv,
  createECDH,
  createSecretKey,
  type ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Subscription } from '@almoner/domain/people'

/** A message to be encrypted for a subscription. */
export interface Job {
  readonly keys: Subscription['keys']
  readonly plaintext: Uint8Array
}

/** A body as it is sent; undefined when nothing can be encrypted with the subscription's keys. */
export type Body = Uint8Array | undefined

/** What a record is encrypted with (https://www.rfc-editor.org/rfc/rfc8188#section-2.1). */
interface Coding {
  /** The input keying material. */
  readonly secret: KeyObject
  /** 16 bytes, never used before with the same secret. */
  readonly salt: Uint8Array
  readonly keyId: Uint8Array
}

const SALT = 16
const TAG = 16
const RECORD_SIZE = 4096
/** Ends the content of the last record (https://www.rfc-editor.org/rfc/rfc8188#section-2). */
const LAST = Buffer.of(2)

const KEY_INFO = Buffer.from('Content-Encoding: aes128gcm\0')
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0')
const WEB_PUSH_INFO = Buffer.from('WebPush: info\0')

/** Keys are key objects here and below: Node takes several times as long to find out that bytes are none. */
const derive = (secret: KeyObject, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/**
 * Encodes as `aes128gcm` (RFC 8188): a header of salt, record size and key id, then the one record that a push message must be
 * (https://www.rfc-editor.org/rfc/rfc8291#section-4). Its memory is its own, because it may be sent between threads.
 * @throws RangeError when the plaintext does not fit into one record
 */
export const encodeRecord = (plaintext: Uint8Array, { secret, salt, keyId }: Coding): Uint8Array => {
  const length = plaintext.length + LAST.length + TAG
  if (length > RECORD_SIZE) throw new RangeError('more than one record')
  const key = createSecretKey(derive(secret, salt, KEY_INFO, 16))
  const cipher = createCipheriv('aes-128-gcm', key, derive(secret, salt, NONCE_INFO, 12))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  const parts = [salt, size, Buffer.of(keyId.length), keyId, cipher.update(plaintext), cipher.update(LAST)]
  cipher.final()
  const body = new Uint8Array(SALT + size.length + 1 + keyId.length + length)
  let at = 0
  for (const part of [...parts, cipher.getAuthTag()]) {
    body.set(part, at)
    at += part.length
  }
  return body
}

/**
 * Encrypts for a subscription (RFC 8291): the secret comes from the keys of both sides and the subscription's `auth`, and the key id is
 * the sender's public key.
 * @param sender has a key pair of P-256 for this message alone
 * @param keyId the public one of the pair
 * @throws when a key has another length, or is no point of the curve
 */
export const encryptFor = (
  { keys, plaintext }: Job,
  { sender, keyId, salt }: { readonly sender: ECDH } & Pick<Coding, 'keyId' | 'salt'>,
): Uint8Array => {
  const theirs = Buffer.from(keys.p256dh, 'base64url')
  const auth = Buffer.from(keys.auth, 'base64url')
  if (theirs.length !== 65 || auth.length < 16) throw new RangeError('a key of another length')
  const info = Buffer.concat([WEB_PUSH_INFO, theirs, keyId])
  const shared = createSecretKey(sender.computeSecret(theirs))
  return encodeRecord(plaintext, { secret: createSecretKey(derive(shared, auth, info, 32)), salt, keyId })
}

/** Gets another key pair for each message. */
const sender = createECDH('prime256v1')

const encrypt = (job: Job): Body => {
  const keyId = sender.generateKeys()
  try {
    return encryptFor(job, { sender, keyId, salt: randomBytes(SALT) })
  } catch {
    return undefined
  }
}

/** Encrypts one after the other, in the thread that it is called in; gives as many bodies, in the same order. */
export const encryptAll = (jobs: ReadonlyArray<Job>): ReadonlyArray<Body> => jobs.map(encrypt)

/** As piscina looks for it when this file is a thread. */
export default encryptAll
