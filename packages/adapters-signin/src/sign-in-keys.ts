import { createHmac } from 'node:crypto'

/** What binds a sign-in at an identity provider to a browser (RFC 6749 §10.12, RFC 7636). */
export interface SignInKeys {
  /** Comes back with the code: proves that this browser has begun the sign-in. */
  readonly state: string
  /** Comes back in the signed token: proves that the token is for this sign-in. */
  readonly nonce: string
  /** Goes with the code to the provider: proves that the sign-in was begun by the client that asks for the token. */
  readonly verifier: string
}

/** Derives the values of a sign-in from the secret in the browser's cookie. Neither the secret nor another value follows from one of them. */
export const keysOf = (secret: string): SignInKeys => {
  const derive = (use: string) => createHmac('sha256', secret).update(use).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}
