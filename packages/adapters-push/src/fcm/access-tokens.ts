import { createPrivateKey } from 'node:crypto'
import type { Instant } from '@almoner/domain'
import { holdBack, type PushResult, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { type Clock, elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { Http2Connections } from '../connections.ts'
import { readSigningKey, type SigningKey, signJwt } from '../credentials.ts'
import { type PostResponse, retryAfter, type WithTimeout } from '../post.ts'
import { BY_HTTP_STATUS, readJson, unanswered } from './outcomes.ts'

/** The used members of a service-account file from the Google Cloud console. */
export interface FcmCredentials {
  readonly project_id: string
  readonly client_email: string
  /** PEM. */
  readonly private_key: string
  /** Where access tokens are had; Google's own when left out. */
  readonly token_uri?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const isHttps = (value: unknown): boolean => isText(value) && URL.parse(value)?.protocol === 'https:'

/** Returns the error of a private key. Drops that of Node, since it may hold the text. */
const keyFaults = (pem: string): ReadonlyArray<string> => {
  if (readSigningKey('RS256', pem) !== undefined) return []
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa')
      return ['its private_key has fewer than 2,048 bits: create another key in the Google Cloud console']
  } catch {
    // It is no private key at all.
  }
  return ['its private_key is no RSA private key']
}

const objectIn = (text: string): E.Either<string, Readonly<Record<string, unknown>>> => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? E.right({ ...json }) : E.left('it is no JSON object')
  } catch {
    return E.left('it is no JSON')
  }
}

/** Returns the credentials in the text of a service-account file, or a line for each error. No line repeats the text. */
export const parseServiceAccount = (
  text: string,
): E.Either<ReadonlyNonEmptyArray<string>, FcmCredentials> => {
  const json = objectIn(text)
  if (E.isLeft(json)) return E.left([json.left])
  const { type = 'service_account', project_id, client_email, private_key, token_uri } = json.right
  const needed = { project_id, client_email, private_key }
  const lacking = Object.entries(needed).filter(([, value]) => !isText(value))
  const errors = [
    ...(type === 'service_account' ? [] : ['its type is another one']),
    ...lacking.map(([name]) => `it lacks ${name}`),
    ...(isText(private_key) ? keyFaults(private_key) : []),
    ...(token_uri === undefined || isHttps(token_uri) ? [] : ['its token_uri is no https address']),
  ]
  if (RA.isNonEmpty(errors)) return E.left(errors)
  // Every field was checked above.
  return E.right({ ...needed, ...(token_uri !== undefined && { token_uri }) } as FcmCredentials)
}

/** Access tokens of a service account. */
export interface AccessTokens {
  /** The token that holds, which many askers share; left: what a push comes to for want of one (G5). Never rejects. */
  current(): Promise<E.Either<PushResult, string>>
  /** Discards a token that was rejected before its expiry. */
  discard(token: string): void
}

/** A token, and when it was asked for by the clock, and by the one that is never set. */
interface Grant {
  readonly token: string
  readonly at: Instant
  readonly since: number
  /** Milliseconds; 0 or no number where the endpoint does not say, so that present pushes alone use the token. */
  readonly life: number
}

/** How to reach the token endpoint, and for how long an answer is waited for. */
interface TokenTransport extends Pick<Http2Connections, 'post'> {
  readonly withTimeout: WithTimeout
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GOOGLE = 'https://oauth2.googleapis.com/token'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** "a maximum of 1 hour after the issued time" (https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth), in seconds. */
const ASSERTION_LIFE = 3600
/** A token is replaced this long before it expires. */
const MARGIN = 5 * MINUTE

/** What a token endpoint says of credentials (https://www.rfc-editor.org/rfc/rfc6749#section-5.2). */
const WORDS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
]

/** What a refusal of the token endpoint means: it is asked again when it is unwell, else the credentials are wrong (G5). */
const refusalOf = (answer: PostResponse, now: Instant): PushResult => {
  const { status, body, date } = answer
  const isUnwell = status >= 500 || ['retry', 'busy'].includes(BY_HTTP_STATUS[status] ?? '')
  if (isUnwell) return holdBack(retryAfter(answer.retryAfter, now, date), `HTTP ${status}`)
  const { error } = readJson(body)
  return senderError(WORDS.find((word) => word === error) ?? `HTTP ${status}`)
}

/**
 * Fetches access tokens by a signed assertion (https://www.rfc-editor.org/rfc/rfc7523#section-2.1) and keeps each until shortly before it runs
 * out. Its age goes by the clock that is never set. After a step of the other clock a token is fetched again: a machine that has slept sees
 * one, and so does one whose assertions had another time (I9). A failed request is not repeated here, since the push is retried.
 */
export const makeAccessTokens = (
  { client_email, token_uri = GOOGLE }: FcmCredentials,
  key: SigningKey,
  { post, withTimeout }: TokenTransport,
  clock: Clock,
): AccessTokens => {
  let kept: Grant | undefined
  let asking: Promise<E.Either<PushResult, Grant>> | undefined

  const assertionAt = (at: Instant): Promise<string> => {
    const iat = Math.floor(at / SECOND)
    const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat, exp: iat + ASSERTION_LIFE }
    return signJwt(key, claims)
  }

  const request = async (): Promise<E.Either<PushResult, Grant>> => {
    const [at, since] = [clock.now(), elapsed(clock)]
    const form = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: await assertionAt(at) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posting = { url: new URL(token_uri), headers, body: form.toString() }
    const answer = await withTimeout<PostResponse | undefined>(undefined, (deadline) =>
      post(posting, deadline),
    )
    if (answer === undefined) return E.left(UNANSWERED)
    if (answer.status < 200 || answer.status >= 300) return E.left(refusalOf(answer, clock.now()))
    const { access_token: token, expires_in } = readJson(answer.body)
    // Another server has answered in the place of the token endpoint.
    if (typeof token !== 'string' || token === '') return E.left(UNANSWERED)
    return E.right({ token, at, since, life: Number(expires_in ?? 0) * SECOND })
  }

  const ask = async (): Promise<E.Either<PushResult, Grant>> => {
    const asked = await request().catch((error: unknown) => E.left(unanswered(error)))
    if (E.isRight(asked)) kept = asked.right
    asking = undefined
    return asked
  }

  const isGood = ({ at, since, life }: Grant): boolean => {
    const age = elapsed(clock) - since
    const step = clock.now() - at - age
    return age < life - MARGIN && Math.abs(step) <= MINUTE
  }

  return {
    current: async () => {
      if (kept !== undefined && isGood(kept)) return E.right(kept.token)
      asking ??= ask()
      return E.map(({ token }: Grant) => token)(await asking)
    },
    discard: (token) => {
      // Of many that were refused with one token, the first discards it.
      if (kept?.token === token) kept = undefined
    },
  }
}
