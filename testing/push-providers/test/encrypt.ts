import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { Subscription } from '../src/index.ts'

const derive = (secret: Uint8Array, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/** A text as an application server encrypts it for a browser (RFC 8291). */
export const encrypt = ({ keys }: Subscription, text: string, padding = 0): Buffer => {
  const theirs = Buffer.from(keys.p256dh, 'base64url')
  const pair = createECDH('prime256v1')
  const ours = pair.generateKeys()
  const salt = randomBytes(16)
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(pair.computeSecret(theirs), Buffer.from(keys.auth, 'base64url'), keyInfo, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const padded = Buffer.concat([Buffer.from(text), Buffer.from([2]), Buffer.alloc(padding)])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4096)
  return Buffer.concat([
    salt,
    size,
    Buffer.from([ours.length]),
    ours,
    cipher.update(padded),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}
