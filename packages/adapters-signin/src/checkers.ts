import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import {
  type PasskeyChecker,
  type PasskeyClaim,
  PasskeyId,
  type PasskeyRefused,
  type Password,
  type PasswordChecker,
  type PasswordHash,
} from '@almoner/domain/managers'
import { unavailable } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'

/** Makes a task of work that may reject. `failure` maps the cause. */
const attempt = <L, A>(work: () => Promise<A>, failure: (cause: unknown) => L): TE.TaskEither<L, A> =>
  TE.tryCatch(work, failure)

/**
 * Returns the host that passkeys are bound to; undefined if browsers make none for it. The host must be a name, and the connection secure,
 * except on localhost.
 * @param baseUrl the public URL of the service
 */
export const passkeyHost = (baseUrl: string): string | undefined => {
  const { hostname, protocol } = new URL(baseUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isAddress ? hostname : undefined
}

/** A `PublicKeyCredential` as JSON, with what it says about itself. */
interface CredentialJson {
  readonly id: string
  readonly challenge: string
  readonly json: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const decoded = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value, 'base64url').toString() : ''

/** Reads the JSON text of a `PublicKeyCredential`; none if it lacks its id or its challenge. Nothing is checked. */
const readCredential = (text: string): O.Option<CredentialJson> => {
  const json = parse(text)
  const id = member(json, 'id')
  const clientData = parse(decoded(member(member(json, 'response'), 'clientDataJSON')))
  const challenge = decoded(member(clientData, 'challenge'))
  return PasskeyId.is(id) && challenge !== '' ? O.some({ id, challenge, json }) : O.none
}

/** The settings of passkeys. */
export interface PasskeySettings {
  /** Returns the public URL of the service. Its host is the one that passkeys are bound to. */
  readonly baseUrl: () => string
}

/** Loads the library when it is first needed: it has 40 modules, and few requests need one. */
const library = () => import('@simplewebauthn/server')

/** Milliseconds that the person has in the browser's dialog. */
const TIMEOUT = 5 * 60_000

/** EdDSA, ES256 and RS256: authenticators have at least one of them. */
const ALGORITHMS = [-8, -7, -257]

const REFUSED: PasskeyRefused = { _tag: 'PasskeyRefused' }

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** Returns what the library asks of the browser's origin and host. */
const expectations = (baseUrl: string, challenge: string) => ({
  expectedChallenge: base64url(challenge),
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: new URL(baseUrl).hostname,
  requireUserVerification: true,
})

/** Checks a response. The library rejects what does not fit; a response that it cannot read is as wrong as one with a bad signature. */
const checking = <A>(
  response: string,
  check: (credential: CredentialJson) => Promise<A | undefined>,
): TE.TaskEither<PasskeyRefused, A> => {
  const credential = readCredential(response)
  if (O.isNone(credential)) return TE.left(REFUSED)
  return pipe(
    attempt(
      () => check(credential.value),
      () => REFUSED,
    ),
    TE.flatMap((checked) => (checked === undefined ? TE.left(REFUSED) : TE.right(checked))),
  )
}

/** Makes the checker of passkeys for the host of the service's URL. */
export const makePasskeyChecker = ({ baseUrl }: PasskeySettings): PasskeyChecker => ({
  isPossible: () => passkeyHost(baseUrl()) !== undefined,

  registrationOptions: ({ email, name }, known, challenge) => ({
    rp: { id: new URL(baseUrl()).hostname, name: 'Almoner' },
    // The digest says nothing about the person to a finder of the authenticator.
    user: { id: createHash('sha256').update(email).digest('base64url'), name: email, displayName: name },
    challenge: base64url(challenge),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    timeout: TIMEOUT,
  }),

  signInOptions: (challenge) => ({
    rpId: new URL(baseUrl()).hostname,
    challenge: base64url(challenge),
    allowCredentials: [],
    userVerification: 'required',
    timeout: TIMEOUT,
  }),

  read: (response) =>
    pipe(
      readCredential(response),
      O.map(({ id, challenge }): PasskeyClaim => ({ id: id as PasskeyId, challenge })),
    ),

  checkRegistration: (response, challenge) =>
    checking(response, async ({ json }) => {
      const { verifyRegistrationResponse } = await library()
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expectations(baseUrl(), challenge),
        response: json as never,
        supportedAlgorithmIDs: ALGORITHMS,
      })
      if (registrationInfo === undefined) return undefined
      const { id, publicKey, counter } = registrationInfo.credential
      return {
        id: id as PasskeyId,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        signCount: counter,
      }
    }),

  checkSignIn: (response, challenge, { id, publicKey, signCount }) =>
    checking(response, async ({ json }) => {
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expectations(baseUrl(), challenge),
        response: json as never,
        credential: {
          id,
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
          counter: signCount,
        },
      })
      return verified ? authenticationInfo.newCounter : undefined
    }),
})

/** Memory of a hash: 32 MiB, three times over, which takes some 150 ms of a core. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }

const [SALT_BYTES, KEY_BYTES] = [16, 32]

/** The PHC string format: salt and key in base64 without padding. */
const FORM = /^\$scrypt\$ln=15,r=8,p=3\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Hashes that are computed at once: each takes one of the four threads that files and images need too. */
const AT_ONCE = 2

/** Further hashes that may wait; the last of them is computed within a few seconds. */
const WAITING = 16

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const keyOf = (password: Password, salt: Buffer): Promise<Buffer> => derive(password, salt, KEY_BYTES, COST)

const hash = async (password: Password): Promise<PasswordHash> => {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt)
  return `$scrypt$ln=15,r=8,p=3$${base64(salt)}$${base64(key)}` as PasswordHash
}

/** Compares with the stored key. Without a stored one, with a random key, which no password has. */
const verify = async (password: Password, stored: O.Option<PasswordHash>): Promise<boolean> => {
  const found = O.isSome(stored) ? FORM.exec(stored.value) : null
  const salt = found ? Buffer.from(found[1] ?? '', 'base64') : randomBytes(SALT_BYTES)
  const expected = found ? Buffer.from(found[2] ?? '', 'base64') : randomBytes(KEY_BYTES)
  return timingSafeEqual(await keyOf(password, salt), expected)
}

/** Makes the cryptography of passwords with Node's own (A6, M3). */
export const makePasswordChecker = (): PasswordChecker => {
  const limit = pLimit(AT_ONCE)
  const limited = async <A>(work: () => Promise<A>): Promise<A> => {
    if (limit.pendingCount >= WAITING) throw new Error('too many passwords are being checked')
    return limit(work)
  }
  return {
    hash: (password) => attempt(() => limited(() => hash(password)), unavailable),
    verify: (password, stored) => attempt(() => limited(() => verify(password, stored)), unavailable),
    hmac: (key, message) => createHmac('sha1', key).update(message).digest(),
    random: randomBytes,
  }
}
