import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  type SignKeyObjectInput,
  sign as signBytes,
} from 'node:crypto'

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Returns a token in the compact form, with this signature of its first two parts. */
export const tokenWith = (
  header: object,
  payload: object | string,
  signature: (data: string) => string,
): string => {
  const data = `${encoded(header)}.${encoded(payload)}`
  return `${data}.${signature(data)}`
}

/** The signatures of each algorithm, by its name in the header. `HS256` takes the public key, in PEM, for a secret. */
const SIGNATURES: Readonly<Record<string, (data: string, key: KeyObject) => Buffer>> = {
  RS256: (data, key) => signBytes('sha256', Buffer.from(data), key),
  PS256: (data, key) => signBytes('sha256', Buffer.from(data), { ...pss(key) }),
  ES256: (data, key) => signBytes('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }),
  EdDSA: (data, key) => signBytes(null, Buffer.from(data), key),
}

/** RSA_PKCS1_PSS_PADDING, and a salt as long as the digest. */
const pss = (key: KeyObject): SignKeyObjectInput => ({ key, padding: 6, saltLength: 32 })

/** Signs data with RS256, PS256, ES256 or EdDSA. */
export const signatureOf = (algorithm: string, data: string, key: KeyObject): string => {
  const signature = SIGNATURES[algorithm]
  if (signature === undefined) throw new TypeError(`no signatures with ${algorithm}`)
  return signature(data, key).toString('base64url')
}

/** A key pair of a test. */
export interface TestKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Signs a token with the algorithm that its header names. */
export const signToken = (
  header: { readonly alg: string; readonly [name: string]: unknown },
  payload: object | string,
  { privateKey, publicKey }: TestKey,
): string =>
  tokenWith(header, payload, (data) => {
    if (header.alg === 'none') return ''
    if (header.alg === 'HS256')
      return createHmac('sha256', publicKey.export({ format: 'pem', type: 'spki' }))
        .update(data)
        .digest('base64url')
    return signatureOf(header.alg, data, privateKey)
  })

const KEYS = new Map<string, TestKey>()

/** Returns the elliptic key of a name, the same in the whole process. */
export const namedKey = (name: string): TestKey => {
  const key = KEYS.get(name) ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  KEYS.set(name, key)
  return key
}

/** Returns a key as a provider publishes it. */
export const publishedKey = ({ publicKey }: TestKey, more: object = {}): object => ({
  ...publicKey.export({ format: 'jwk' }),
  use: 'sig',
  ...more,
})
