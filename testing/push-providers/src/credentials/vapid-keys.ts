import { createECDH } from 'node:crypto'

/**
 * An application server's keys, raw, in base64url: the public one the uncompressed point of 65 bytes, the private one 32 bytes
 * (https://www.rfc-editor.org/rfc/rfc8292#section-3.2).
 */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** A new pair. */
export const makeVapidKeys = (): VapidKeys => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // A private number may come with its leading zeros left off; the form has 32 bytes.
  const privateKey = Buffer.alloc(32)
  const number = pair.getPrivateKey()
  number.copy(privateKey, 32 - number.length)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}
