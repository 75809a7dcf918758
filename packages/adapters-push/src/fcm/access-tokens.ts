import type { Instant } from '@almoner/domain'
import { holdBack, type PushResult, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { type Clock, elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { type SigningKey, signJwt } from '../credentials.ts'
import type { Http2Connections } from '../http2-connections.ts'
import type { PostResponse } from '../post.ts'
import { retryAfter } from '../retry-after.ts'
import type { WithTimeout } from '../with-timeout.ts'
import type { FcmCredentials } from './credentials.ts'
import { readJson } from './failure.ts'
import { BY_HTTP_STATUS, unanswered } from './outcomes.ts'

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
