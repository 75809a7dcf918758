import { createPrivateKey, hash, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'

/** The algorithms of JWTs that the providers take: FCM's token endpoint RS256, APNs and push services ES256. */
type Algorithm = 'RS256' | 'ES256'

/** A private key that fits an algorithm. */
export interface SigningKey {
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

/** "A key of size 2048 bits or larger MUST be used" (https://www.rfc-editor.org/rfc/rfc7518#section-3.3). */
const LEAST_BITS = 2048

const FITS: Readonly<Record<Algorithm, (key: KeyObject) => boolean>> = {
  RS256: ({ asymmetricKeyType, asymmetricKeyDetails: details }) =>
    asymmetricKeyType === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_BITS,
  ES256: ({ asymmetricKeyDetails: details }) => details?.namedCurve === 'prime256v1',
}

/**
 * Reads a private key, in any form that Node takes: PEM of PKCS #8, PKCS #1 or SEC 1, or a JWK.
 * @returns undefined when it is no private key of the algorithm. The error of Node is dropped, since it may hold the key.
 */
export const readSigningKey = (
  algorithm: Algorithm,
  text: Parameters<typeof createPrivateKey>[0],
): SigningKey | undefined => {
  try {
    const key = createPrivateKey(text)
    return FITS[algorithm](key) ? { algorithm, key } : undefined
  } catch {
    return undefined
  }
}

/** Signs claims as a JWT. The header names the algorithm and has these members too. */
export const signJwt = (
  { algorithm, key }: SigningKey,
  claims: Readonly<Record<string, string | number>>,
  header: Readonly<Record<string, string>> = {},
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg: algorithm, ...header }).sign(key)

/** Returns a short text that stands for credentials and does not reveal them: another one for other credentials (G15). */
export const fingerprintOf = (...parts: ReadonlyArray<string>): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, 16)
