import { createHash } from 'node:crypto'
import type { PasskeyChecker, PasskeyClaim, PasskeyId, PasskeyRefused } from '@almoner/domain/managers'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { passkeyHost } from './passkey-host.ts'
import { type CredentialJson, readCredential } from './read-credential.ts'

export { passkeyHost } from './passkey-host.ts'

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
