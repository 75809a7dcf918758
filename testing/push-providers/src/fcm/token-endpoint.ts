import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Jwt, readJwt } from '../credentials/jwt.ts'
import type { ServiceAccount } from '../credentials/service-account.ts'
import { replyJson, type ScriptedResponse } from '../server/answer.ts'
import { makeEndpoint, type OpenEndpoint, type Read } from '../server/endpoint.ts'
import type { Raw } from '../server/listen.ts'

/** A request for an access token. */
export interface TokenRequest extends Read {
  readonly form: Readonly<Record<string, string>>
  /** What the assertion claims, checked or not. */
  readonly claims: Jwt['claims']
}

/** A refusal of the token endpoint (https://www.rfc-editor.org/rfc/rfc6749#section-5.2); `invalid_grant`: a revoked key too. */
export const oauthError = (error: string, description: string): ScriptedResponse =>
  replyJson(400, { error, error_description: description })

/** Either gives leave to send (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send, "Authorization scopes"). */
const SCOPES = [
  'https://www.googleapis.com/auth/firebase.messaging',
  'https://www.googleapis.com/auth/cloud-platform',
]
const HOUR = 3600
/** Clocks differ. */
const SKEW = 300
const TIMES =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

const badTimes = ({ iat, exp }: Jwt['claims'], now: number): boolean => {
  if (typeof iat !== 'number' || typeof exp !== 'number') return true
  return iat > now + SKEW || exp <= now || exp - iat > HOUR
}

/**
 * What an assertion must hold: "iss" the account's address, "scope" space-delimited, "aud" the token endpoint, "exp" at most an hour
 * after "iat", signed RS256 by the account's key
 * (https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests).
 */
const refuseAssertion = (
  jwt: Jwt | undefined,
  account: ServiceAccount,
  key: KeyObject,
  now: number,
): ScriptedResponse | undefined => {
  if (jwt === undefined) return oauthError('invalid_grant', 'Invalid JWT.')
  const { iss, aud, scope } = jwt.claims
  if (iss !== account.client_email) return oauthError('invalid_grant', 'Invalid grant: account not found')
  if (!jwt.isSignedBy(key, 'RS256')) return oauthError('invalid_grant', 'Invalid JWT Signature.')
  if (aud !== account.token_uri) return oauthError('invalid_grant', 'Invalid JWT: Failed audience check.')
  if (badTimes(jwt.claims, now)) return oauthError('invalid_grant', TIMES)
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  return scopes.some((one) => SCOPES.includes(one))
    ? undefined
    : oauthError('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
}

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Hands out access tokens, and knows which hold. */
export interface TokenEndpoint extends OpenEndpoint<TokenRequest> {
  isGood(accessToken: string): boolean
  setLife(seconds: number): void
  revoke(): void
}

/**
 * The token endpoint: `grant_type` and `assertion` as a form; answers `access_token`, `expires_in`, `token_type` ("Handling the
 * response" of the page above). Its script's token is the account's address.
 * @param now seconds since the epoch
 */
export const makeTokenDesk = (account: ServiceAccount, now: () => number): TokenEndpoint => {
  const key = createPublicKey(account.private_key)
  const good = new Map<string, number>()
  let life = HOUR

  const refusalOf = ({ grant_type, assertion }: TokenRequest['form'], jwt: Jwt | undefined) => {
    if (grant_type !== GRANT) return oauthError('unsupported_grant_type', `Invalid grant_type: ${grant_type}`)
    if (assertion === undefined) return oauthError('invalid_request', 'Missing parameter: assertion')
    return refuseAssertion(jwt, account, key, now())
  }

  const endpoint = makeEndpoint<TokenRequest>({
    tokenOf: () => account.client_email,
    read: ({ headers, body }: Raw) => {
      const form = Object.fromEntries(new URLSearchParams(body.toString()))
      const jwt = readJwt(form['assertion'] ?? '')
      return {
        token: account.client_email,
        headers,
        form,
        claims: jwt?.claims ?? {},
        refusal: refusalOf(form, jwt),
      }
    },
    accept: () => {
      const accessToken = `ya29.${randomBytes(32).toString('base64url')}`
      good.set(accessToken, now() + life)
      return replyJson(200, { access_token: accessToken, expires_in: life, token_type: 'Bearer' })
    },
  })

  return {
    ...endpoint,
    isGood: (accessToken) => (good.get(accessToken) ?? 0) > now(),
    setLife: (seconds) => {
      life = seconds
    },
    revoke: () => good.clear(),
  }
}
