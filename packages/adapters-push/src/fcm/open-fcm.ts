import { createPrivateKey } from 'node:crypto'
import type { Instant } from '@almoner/domain'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import {
  holdBack,
  type Push,
  type PushResult,
  REFUSED,
  retry,
  senderError,
  UNANSWERED,
} from '@almoner/domain/notifications'
import { type Clock, elapsed, type PushGateway } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { Task } from 'fp-ts/lib/Task.js'
import {
  type Deadline,
  type Http2Connections,
  type HttpsProxy,
  makeHttp2Connections,
  makeTimeLimit,
  type PostResponse,
  type Reading,
  type StartTimer,
  type TimeLimit,
  WHOLE,
} from '../connections.ts'
import { fingerprintOf, readSigningKey, type SigningKey, signJwt } from '../credentials.ts'
import { retryAfter } from '../retry-after.ts'
import {
  BY_HTTP_STATUS,
  bytesOf,
  type FcmTarget,
  isAboutAccess,
  makeRenderer,
  outcomeOf,
  readJson,
  unanswered,
} from './protocol.ts'

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
  /** The token that holds, at once where one is kept; left: what a push comes to for want of one (G5). Never rejects. */
  current(): E.Either<PushResult, string> | Promise<E.Either<PushResult, string>>
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
  readonly timeLimit: TimeLimit
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
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
  { client_email, token_uri = TOKEN_URI }: FcmCredentials,
  key: SigningKey,
  { post, timeLimit }: TokenTransport,
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
    const answered = (answer: PostResponse): E.Either<PushResult, Grant> => {
      if (answer.status < 200 || answer.status >= 300) return E.left(refusalOf(answer, clock.now()))
      const { access_token: token, expires_in } = readJson(answer.body)
      // Another server has answered in the place of the token endpoint.
      if (typeof token !== 'string' || token === '') return E.left(UNANSWERED)
      return E.right({ token, at, since, life: Number(expires_in ?? 0) * SECOND })
    }
    return timeLimit.run<E.Either<PushResult, Grant>>(E.left(UNANSWERED), (deadline) =>
      post(posting, deadline, { ...WHOLE, answered, unanswered: (error) => E.left(unanswered(error)) }),
    )
  }

  const ask = async (): Promise<E.Either<PushResult, Grant>> => {
    const asked = await request()
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
    current: () => {
      if (kept !== undefined && isGood(kept)) return E.right(kept.token)
      asking ??= ask()
      return asking.then(E.map(({ token }) => token))
    },
    discard: (token) => {
      // Of many that were refused with one token, the first discards it.
      if (kept?.token === token) kept = undefined
    },
  }
}

/** How to open {@link FcmGateway}. */
export interface FcmOptions {
  readonly credentials: FcmCredentials
  readonly clock: Clock
  /** FCM's address, an origin; Google's own when left out. */
  readonly url?: string
  /** An authority to trust beside the machine's, PEM; for the token endpoint too. */
  readonly ca?: string
  readonly proxy?: HttpsProxy | undefined
  /** How long a push is given, in milliseconds: a little less than the domain's `ANSWER_WITHIN` when left out. */
  readonly limit?: number
  /** Ends the time of pushes; the machine's timers when left out. */
  readonly startTimer?: StartTimer
}

/** Firebase Cloud Messaging by its HTTP v1 interface: Android, and iPhones and browsers that registered there. */
export interface FcmGateway extends PushGateway {
  /** Has FCM look at a message that goes nowhere: Delivered when credentials and project are in order. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits for the responses to sent pushes, then closes every connection. Later pushes resolve to Retry. */
  close(): Promise<void>
}

const FCM_ORIGIN = 'https://fcm.googleapis.com'
/** Google's servers allow 100 streams on a connection; the window is 1,000 at most. */
const CONNECTIONS = { connections: 10, streams: 100 }
const LIMIT = ANSWER_WITHIN - 0.5 * SECOND

const targetOf = ({ destination }: Push): FcmTarget | undefined => {
  if (destination.provider !== 'fcm') return undefined
  const { form, token } = destination
  return form === 'fid' ? { fid: token } : { token }
}

/** What `check` sends: to a topic, so that no device's token is needed, and with `validate_only`. */
const CHECK = { validate_only: true, message: { topic: 'almoner-check', notification: { title: 'Almoner' } } }

/** Opens the gateway. Nothing is sent, and no connection made, before the first push. */
export const openFcm = ({
  credentials,
  clock,
  url = FCM_ORIGIN,
  ca,
  proxy,
  limit = LIMIT,
  startTimer,
}: FcmOptions): FcmGateway => {
  const connections = makeHttp2Connections({ ca, proxy, limit, ...CONNECTIONS })
  const place = new URL(`/v1/projects/${encodeURIComponent(credentials.project_id)}/messages:send`, url)
  const key = readSigningKey('RS256', credentials.private_key)
  const timeLimit = makeTimeLimit(limit, startTimer)
  const transport = { ...connections, timeLimit: makeTimeLimit(limit, startTimer) }
  const tokens = key && makeAccessTokens(credentials, key, transport, clock)
  const render = makeRenderer()
  const answered = (answer: PostResponse): PushResult => outcomeOf(answer, clock.now())
  const reading: Reading<PushResult> = { ...WHOLE, answered, unanswered }
  let isClosed = false

  const attempt = async (
    given: AccessTokens,
    body: string,
    deadline: Deadline,
    again: boolean,
  ): Promise<PushResult> => {
    const accessToken = await given.current()
    if (E.isLeft(accessToken)) return accessToken.left
    const headers = { authorization: `Bearer ${accessToken.right}`, 'content-type': 'application/json' }
    const outcome = await connections.post({ url: place, headers, body }, deadline, reading)
    if (!isAboutAccess(outcome)) return outcome
    // A token may have been revoked before its time: a new one is tried once.
    given.discard(accessToken.right)
    return again ? attempt(given, body, deadline, false) : outcome
  }

  const ask = (body: string): Promise<PushResult> => {
    if (tokens === undefined) return Promise.resolve(senderError('private_key'))
    if (isClosed) return Promise.resolve(retry())
    return timeLimit.run<PushResult>(UNANSWERED, (deadline) => attempt(tokens, body, deadline, true))
  }

  return {
    credentials: {
      fcm: fingerprintOf(credentials.project_id, credentials.client_email, credentials.private_key),
    },
    bytesOf,
    send: (push) => () => {
      const target = targetOf(push)
      return target === undefined
        ? Promise.resolve(REFUSED)
        : ask(render(target, push.message, push, clock.now()))
    },
    check: () => ask(JSON.stringify(CHECK)),
    close: async () => {
      isClosed = true
      await timeLimit.idle()
      await connections.close()
    },
  }
}
