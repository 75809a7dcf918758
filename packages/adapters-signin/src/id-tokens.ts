import {
  type IdTokenClaims,
  keepKeys,
  type PublishedKey,
  type SubjectTokenReason,
  type SubjectTokenRefused,
  subjectTokenRefused,
} from '@almoner/domain/access'
import type { Clock, IdTokens } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { CryptoKey, JWK } from 'jose'
import type { HttpsProxy } from './https-proxy.ts'

/** The settings of ID tokens that clients exchange (A10). */
export interface IdTokenSettings {
  /** The provider's URL, as its tokens name it: its configuration is at `/.well-known/openid-configuration` below. https, or http on loopback. */
  readonly issuer: string
  /** None: the provider is asked directly. */
  readonly proxy?: HttpsProxy | undefined
}

/** The algorithms of signatures that count, with the keys that make them. */
const ALGORITHMS: ReadonlyMap<unknown, Pick<JWK, 'kty' | 'crv'>> = new Map([
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
])

/** Bits of the shortest RSA key. */
const SHORTEST_RSA = 2048

/** Milliseconds that a fetch of the keys may take in all. */
const TIMEOUT = 5000

/** Bytes of the longest document, keys that are looked at, and characters of the longest token. */
const [LONGEST_DOCUMENT, MOST_KEYS, LONGEST_TOKEN] = [512 * 1024, 100, 16 * 1024]

let loaded: Promise<typeof import('jose')> | undefined

/** Loads the library when it is first needed. Importing it for each token would look it up again. */
const library = () => (loaded ??= import('jose'))

/** A key as the provider publishes it. */
interface ProviderKey extends PublishedKey {
  readonly jwk: JWK
  /** The key for an algorithm, once it was used. */
  readonly imported: Map<string, Promise<CryptoKey>>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bitsOf = (modulus: string): number => {
  const bytes = Buffer.from(modulus, 'base64url')
  const first = bytes.findIndex((byte) => byte > 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24)
}

/** Returns whether a key may have made a signature with an algorithm. */
const fits =
  (algorithm: string) =>
  ({ jwk }: ProviderKey): boolean => {
    const { kty, crv } = ALGORITHMS.get(algorithm) ?? {}
    const { use = 'sig', alg = algorithm, key_ops = ['verify'], n = '' } = jwk
    if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return false
    if (use !== 'sig' || alg !== algorithm || !key_ops.includes('verify')) return false
    return kty !== 'RSA' || bitsOf(n) >= SHORTEST_RSA
  }

/** Reads a document of the provider. Rejects one that is too long, or no JSON object. */
const readDocument = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  if (response.status !== 200) throw new Error(`the identity provider answers with status ${response.status}`)
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > LONGEST_DOCUMENT) throw new Error('a document of the identity provider is too long')
    chunks.push(chunk)
  }
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (!isRecord(document)) throw new Error('a document of the identity provider is no JSON object')
  return document
}

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string'

const keyIn = (jwk: unknown): ReadonlyArray<ProviderKey> =>
  isRecord(jwk) && isText(jwk['kid']) ? [{ kid: jwk['kid'], jwk, imported: new Map() }] : []

/** Makes the function that fetches the published keys, by the provider's configuration. */
const fetchingKeys = ({ issuer, proxy }: IdTokenSettings) => {
  const isPlain = issuer.startsWith('http:')
  return async (): Promise<ReadonlyArray<ProviderKey>> => {
    const send = proxy ? (await import('./https-proxy.ts')).fetchThrough(proxy) : fetch
    const signal = AbortSignal.timeout(TIMEOUT)
    const get = async (url: string) =>
      readDocument(
        await send(url, {
          ...{ method: 'GET', redirect: 'manual', signal, body: null },
          headers: { accept: 'application/json' },
        }),
      )
    const configuration = await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (configuration['issuer'] !== issuer) throw new Error('the identity provider names another issuer')
    const { jwks_uri: url } = configuration
    if (typeof url !== 'string' || !(url.startsWith('https:') || (isPlain && url.startsWith('http:'))))
      throw new Error('the identity provider names no https URL of its keys')
    const { keys } = await get(url)
    if (!Array.isArray(keys)) throw new Error('the identity provider publishes no list of keys')
    return keys.slice(0, MOST_KEYS).flatMap(keyIn)
  }
}

/** The parts of a token's header that count. */
interface Header {
  readonly algorithm: string
  readonly kid: string | undefined
}

const headerFault = ({
  alg,
  crit,
  typ,
  kid,
}: Readonly<Record<string, unknown>>): SubjectTokenReason | undefined => {
  if (crit !== undefined) return 'critical-header'
  if (typ !== undefined && typ !== 'JWT') return 'other-type'
  if (!ALGORITHMS.has(alg)) return 'algorithm'
  return isText(kid) ? undefined : 'malformed'
}

const readHeader = (token: string): E.Either<SubjectTokenRefused, Header> => {
  try {
    const [first = '', ...rest] = token.length > LONGEST_TOKEN ? [] : token.split('.')
    const header: unknown = JSON.parse(Buffer.from(first, 'base64url').toString('utf8'))
    if (rest.length !== 2 || !isRecord(header)) return E.left(subjectTokenRefused('malformed'))
    const fault = headerFault(header)
    return fault === undefined
      ? E.right({ algorithm: String(header['alg']), kid: header['kid'] as string | undefined })
      : E.left(subjectTokenRefused(fault))
  } catch {
    return E.left(subjectTokenRefused('malformed'))
  }
}

/** Returns the public part of a key, for one algorithm. */
const imported = ({ jwk, imported: known }: ProviderKey, algorithm: string): Promise<CryptoKey> => {
  const { kty, crv, n, e, x, y } = jwk
  const parts = Object.entries({ kty, crv, n, e, x, y }).filter(([, value]) => value !== undefined)
  const key =
    known.get(algorithm) ??
    library().then(
      ({ importJWK }) => importJWK(Object.fromEntries(parts) as JWK, algorithm) as Promise<CryptoKey>,
    )
  known.set(algorithm, key)
  return key
}

/** Checks the signature with the one key that fits. */
const checked = async (
  token: string,
  algorithm: string,
  keys: ReadonlyArray<ProviderKey>,
): Promise<E.Either<SubjectTokenRefused, IdTokenClaims>> => {
  const [key, ...others] = keys.filter(fits(algorithm))
  if (key === undefined || others.length > 0) return E.left(subjectTokenRefused('no-single-key'))
  try {
    const { compactVerify } = await library()
    const { payload } = await compactVerify(token, await imported(key, algorithm), {
      algorithms: [algorithm],
    })
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return isRecord(claims) ? E.right(claims) : E.left(subjectTokenRefused('malformed'))
  } catch (error) {
    return E.left(subjectTokenRefused(error instanceof SyntaxError ? 'malformed' : 'signature'))
  }
}

/** Makes the verifier of ID tokens (A10). Fetches the provider's keys by its configuration when the first token comes, and keeps them. */
export const makeIdTokens = (settings: IdTokenSettings, clock: Clock): IdTokens => {
  const findKeys = keepKeys(fetchingKeys(settings), clock)
  return {
    verify: (token) => async () => {
      const header = readHeader(token)
      if (E.isLeft(header)) return header
      const { algorithm, kid } = header.right
      const keys = await findKeys(kid)()
      return E.isLeft(keys) ? keys : checked(token, algorithm, keys.right)
    },
  }
}
