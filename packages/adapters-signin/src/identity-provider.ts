import { createHmac } from 'node:crypto'
import type { AddressClaims } from '@almoner/domain/access'
import {
  type AddressPolicy,
  type IdentityProvider,
  type IdentityRefused,
  Issuer,
  type ProvedIdentity,
  type ProviderUnavailable,
  type SignInReason,
} from '@almoner/domain/managers'
import { instant, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ClientAuth, Configuration } from 'openid-client'
import type { HttpsProxy } from './https-proxy.ts'

/** Makes the refusal of a person or of a response. */
const refused = (reason: SignInReason): IdentityRefused => ({ _tag: 'IdentityRefused', reason })

/** The codes of errors that refuse a response, and why: it is not that of this browser's sign-in. */
const REASONS: ReadonlyMap<unknown, SignInReason> = new Map([
  ['OAUTH_INVALID_RESPONSE', 'wrong-provider-response'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'wrong-provider-response'],
])

/**
 * Returns whether a sign-in is refused, or the provider does not answer as it should. The provider refuses a person or a code; every other error,
 * such as a wrong client secret, is for the operator.
 */
const failureOf = (cause: unknown): IdentityRefused | ProviderUnavailable => {
  const unavailable: ProviderUnavailable = { _tag: 'ProviderUnavailable', cause }
  if (!(cause instanceof Error)) return unavailable
  if (cause.name === 'AuthorizationResponseError') return refused('refused-by-provider')
  if (cause.name === 'ResponseBodyError' && 'error' in cause && cause.error === 'invalid_grant')
    return refused('wrong-provider-response')
  const reason = 'code' in cause ? REASONS.get(cause.code) : undefined
  return reason === undefined ? unavailable : refused(reason)
}

/** As {@link failureOf}, for the userinfo endpoint, which may answer for another subject (M11). The same code says more of other documents. */
const failureOfUserinfo = (cause: unknown): IdentityRefused | ProviderUnavailable =>
  cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
    ? refused('other-subject')
    : failureOf(cause)

/** What binds a sign-in at an identity provider to a browser (RFC 6749 §10.12, RFC 7636). */
interface SignInKeys {
  /** Comes back with the code: proves that this browser has begun the sign-in. */
  readonly state: string
  /** Comes back in the signed token: proves that the token is for this sign-in. */
  readonly nonce: string
  /** Goes with the code to the provider: proves that the sign-in was begun by the client that asks for the token. */
  readonly verifier: string
}

/** Derives the values of a sign-in from the secret in the browser's cookie. Neither the secret nor another value follows from one of them. */
const keysOf = (secret: string): SignInKeys => {
  const derive = (use: string) => createHmac('sha256', secret).update(use).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** The settings of sign-in by OpenID Connect. */
export interface IdentityProviderSettings extends AddressPolicy {
  /** The provider's URL: its configuration is at `/.well-known/openid-configuration` below. https, or http on loopback. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Returns the URL to which the provider sends the browser back, as it is registered there. */
  readonly redirectUri: () => string
  /** None: the provider is asked directly. */
  readonly proxy?: HttpsProxy | undefined
}

/** Loads the library when it is first needed. */
const library = () => import('openid-client')

/** Seconds that one request to the provider may take. */
const TIMEOUT = 5

/** Seconds after which the provider asks for the password again at a usual sign-in. */
const DAY = 86_400

/** Proves the client by the header, as the standard's default is, unless the provider names only other ways. */
const authentication = async (secret: string): Promise<ClientAuth> => {
  const { ClientSecretBasic, ClientSecretPost } = await library()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const prove = ways.includes('client_secret_basic') ? basic : post
    return prove(server, ...request)
  }
}

/** Reads the provider's configuration. Tokens must be signed, although they come from the provider itself. */
const discover = async ({
  issuer,
  clientId,
  clientSecret,
  proxy,
}: IdentityProviderSettings): Promise<Configuration> => {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await library()
  const isPlain = issuer.startsWith('http:') && Issuer.is(issuer)
  return discovery(new URL(issuer), clientId, undefined, await authentication(clientSecret), {
    timeout: TIMEOUT,
    ...(proxy && { [customFetch]: (await import('./https-proxy.ts')).fetchThrough(proxy) }),
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  })
}

/** Reads the configuration at the first use, and again after a failure. */
const discoverOnce = (settings: IdentityProviderSettings): (() => Promise<Configuration>) => {
  let found: Promise<Configuration> | undefined
  return () => {
    found ??= discover(settings).catch((cause: unknown) => {
      found = undefined
      throw cause
    })
    return found
  }
}

type Failure = IdentityRefused | ProviderUnavailable

/** Reads the userinfo endpoint when it is asked for; no claims where the provider has none. */
const userinfoOf =
  (config: Configuration, accessToken: string, subject: string): TaskEither<Failure, AddressClaims> =>
  async () => {
    if (config.serverMetadata().userinfo_endpoint === undefined) return E.right({})
    try {
      const { fetchUserInfo } = await library()
      return E.right((await fetchUserInfo(config, accessToken, subject)) as AddressClaims)
    } catch (cause) {
      return E.left(failureOfUserinfo(cause))
    }
  }

/** Exchanges a code for the provider's signed word on the person. Providers name the address in the token, or only at the userinfo endpoint. */
const exchange = async (
  config: Configuration,
  secret: string,
  redirected: URL,
): Promise<ProvedIdentity<Failure> | undefined> => {
  const { authorizationCodeGrant } = await library()
  const { state, nonce, verifier } = keysOf(secret)
  const tokens = await authorizationCodeGrant(config, redirected, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) return undefined
  const { iss, sub, auth_time } = claims
  return {
    issuer: iss,
    subject: sub,
    claims: claims as AddressClaims,
    userinfo: userinfoOf(config, tokens.access_token, sub),
    authenticatedAt: O.map((seconds: number) => instant(seconds * SECOND))(O.fromNullable(auth_time)),
  }
}

/** Makes the identity provider of OpenID Connect: authorization code, PKCE, state and nonce (M3). */
export const makeIdentityProvider = (settings: IdentityProviderSettings): IdentityProvider => {
  const { domains, trustsEmail, redirectUri } = settings
  const configuration = discoverOnce(settings)
  return {
    domains,
    trustsEmail,

    start: (secret, isFresh) => async () => {
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
        const { state, nonce, verifier } = keysOf(secret)
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri(),
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // Asks for `auth_time` too, which the proof of presence is made of.
          max_age: String(isFresh ? 0 : DAY),
          ...(isFresh && { prompt: 'login' }),
        })
        return E.right(url.href)
      } catch (cause) {
        return E.left({ _tag: 'ProviderUnavailable', cause })
      }
    },

    finish: (secret, response) => async () => {
      try {
        const redirected = new URL(redirectUri())
        redirected.search = response
        const identity = await exchange(await configuration(), secret, redirected)
        return identity === undefined ? E.left(refused('wrong-provider-response')) : E.right(identity)
      } catch (cause) {
        return E.left(failureOf(cause))
      }
    },
  }
}
