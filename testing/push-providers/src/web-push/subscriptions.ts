import { createECDH, type ECDH, randomBytes } from 'node:crypto'

/** A subscription as a browser gives it, which is a device token as JSON (https://www.w3.org/TR/push-api/#dom-pushsubscription-tojson). */
export interface Subscription {
  readonly endpoint: string
  readonly keys: {
    /** The browser's public key, the uncompressed point, base64url. */
    readonly p256dh: string
    /** The authentication secret, 16 bytes, base64url. */
    readonly auth: string
  }
}

/** What the browser keeps to itself. */
export interface Secrets {
  readonly pair: ECDH
  readonly auth: Buffer
  /** The application server's public key that the subscription is restricted to (https://www.rfc-editor.org/rfc/rfc8292#section-4). */
  readonly restrictedTo: string | undefined
}

/** A new subscription at an endpoint (https://www.rfc-editor.org/rfc/rfc8291#section-2.1: P-256 and 16 bytes of secret). */
export const makeSubscription = (
  endpoint: string,
  restrictedTo: string | undefined,
): readonly [Subscription, Secrets] => {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  const auth = randomBytes(16)
  return [
    { endpoint, keys: { p256dh, auth: auth.toString('base64url') } },
    { pair, auth, restrictedTo },
  ]
}
