import { createECDH } from 'node:crypto'

/** How this service says who it is to push services (RFC 8292). */
export interface VapidKeys {
  /** The uncompressed point, 65 bytes, in raw base64url. */
  readonly publicKey: string
  /** 32 bytes, in raw base64url. */
  readonly privateKey: string
  /** `mailto:` or `https:`, where a push service may ask who sends. */
  readonly subject: string
}

const PUBLIC_KEY = /^B[\w-]{86}$/
const PRIVATE_KEY = /^[\w-]{43}$/
/** Apple refuses `localhost` (https://github.com/web-push-libs/web-push/issues/947). */
const SUBJECT = /^(?:mailto:[^@\s]+@(?!localhost$)[^@\s]+|https:\/\/(?!localhost(?:[:/]|$))\S+)$/

const publicKeyOf = (privateKey: string): string => {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url')
  } catch {
    // A number that is no private key of the curve has no public one.
    return ''
  }
}

/** Returns the error of a key pair without repeating the keys; undefined if it is valid. Asks no push service. */
export const vapidFault = ({ publicKey, privateKey, subject }: VapidKeys): string | undefined => {
  if (!PUBLIC_KEY.test(publicKey)) return 'The VAPID public key is not 65 bytes in base64url.'
  if (!PRIVATE_KEY.test(privateKey)) return 'The VAPID private key is not 32 bytes in base64url.'
  if (publicKeyOf(privateKey) !== publicKey) return 'The VAPID keys are no pair.'
  return SUBJECT.test(subject)
    ? undefined
    : 'The VAPID subject is no mailto: or https: address, or one at localhost.'
}
