import { createDecipheriv, hkdfSync } from 'node:crypto'
import type { Secrets } from './subscriptions.ts'

const derive = (secret: Uint8Array, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

const info = (text: string, ...more: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([Buffer.from(`${text}\0`), ...more])

/** The header: salt 16 bytes, record size 4, length of the key id 1, the key id (https://www.rfc-editor.org/rfc/rfc8188#section-2.1). */
const HEADER = 21
const TAG = 16
/** What ends the last record, before the padding (https://www.rfc-editor.org/rfc/rfc8188#section-2). */
const LAST = 2

const open = (body: Buffer, { pair, auth }: Secrets): string => {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const end = HEADER + body.readUInt8(20)
  const theirs = body.subarray(HEADER, end)
  const record = body.subarray(end)
  // A push message is a single record (https://www.rfc-editor.org/rfc/rfc8291#section-4).
  if (record.length > recordSize) throw new RangeError('more than one record')
  // https://www.rfc-editor.org/rfc/rfc8291#section-3.4
  const keyInfo = info('WebPush: info', pair.getPublicKey(), theirs)
  const secret = derive(pair.computeSecret(theirs), auth, keyInfo, 32)
  const key = derive(secret, salt, info('Content-Encoding: aes128gcm'), 16)
  const nonce = derive(secret, salt, info('Content-Encoding: nonce'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG })
  cipher.setAuthTag(record.subarray(-TAG))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG)), cipher.final()])
  const delimiter = padded.findLastIndex((byte) => byte !== 0)
  if (padded[delimiter] !== LAST) throw new RangeError('no delimiter')
  return padded.subarray(0, delimiter).toString()
}

/** The plaintext of a message, as the browser would read it (RFC 8291); undefined when it cannot. */
export const decrypt = (body: Buffer, secrets: Secrets): string | undefined => {
  try {
    return open(body, secrets)
  } catch {
    // Wrong keys, a body cut short, a tag that does not hold: a browser drops all of these alike.
    return undefined
  }
}
