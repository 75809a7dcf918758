import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { WebUrl } from '../values/addresses.ts'
import { refined } from '../values/refined.ts'
import type { AddressPolicy, ProvedIdentity } from './identity.ts'
import type { SignInReason } from './sign-in-reason.ts'

/** A response that was not asked for, that a person or the provider refused, or that the provider did not sign. */
export interface IdentityRefused {
  readonly _tag: 'IdentityRefused'
  readonly reason: SignInReason
}

/** The identity provider does not answer, or not as it should. */
export interface ProviderUnavailable {
  readonly _tag: 'ProviderUnavailable'
  readonly cause: unknown
}

/**
 * Signs people in at an identity provider (OpenID Connect, M3). Not one of the ports: a console without it offers no such sign-in. State, nonce
 * and the verifier of PKCE follow from a secret, which the browser has in a cookie, so none of them is stored.
 */
export interface IdentityProvider extends AddressPolicy {
  /**
   * Returns the URL of the provider's sign-in page.
   * @param isFresh whether the provider must ask for the password again, even if the person is signed in there
   */
  start(secret: string, isFresh: boolean): TaskEither<ProviderUnavailable, string>
  /** Checks the query with which the provider sends the browser back. Returns who has signed in. */
  finish(
    secret: string,
    response: string,
  ): TaskEither<IdentityRefused | ProviderUnavailable, ProvedIdentity<IdentityRefused | ProviderUnavailable>>
}

/** The addresses of the machine itself, where http is as safe as https. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/

/** Reads the URL of an identity provider: https, or http on loopback. */
export const Issuer = refined<string>(
  'Issuer',
  (text) =>
    WebUrl.is(text) && !/[?#]/.test(text) && (text.startsWith('https:') || LOOPBACK.test(text))
      ? E.right(text)
      : E.left('must be an https URL without query, fragment or credentials; http only on localhost'),
  { type: 'string', description: 'URL of an identity provider.' },
)

/** Characters of the longest response: a code and a state have some hundred. */
const MOST = 8000

/** Reads the query with which an identity provider sends a browser back. */
export const OidcResponse = refined<string>(
  'OidcResponse',
  (text) => (text.length <= MOST ? E.right(text) : E.left(`must have at most ${MOST} characters`)),
  {
    type: 'string',
    description: 'Query with which the provider has sent the browser back.',
    maxLength: MOST,
  },
)
