import type { components, paths } from './generated/api.ts'
import { retryAfterOf } from './requests.ts'
import { type AccessToken, type Obtain, PATIENCE, type Send } from './tokens.ts'

type Problem = components['responses']['Problem']['content']['application/problem+json']

/** The error codes of the service (I3). */
export type ProblemCode = Problem['code']

/** A field of the request that is not as it should be, and why. */
export type FieldError = NonNullable<Problem['errors']>[number]

/** What a failed answer brings besides what it says. */
interface Answered {
  /** The status of HTTP. */
  readonly status: number
  /** Seconds after which the service asks to be tried again, where it says so. */
  readonly retryAfter: number | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const faultsOf = (errors: unknown): ReadonlyArray<FieldError> =>
  Array.isArray(errors) ? (errors as ReadonlyArray<FieldError>) : []

const sentence = (status: number, problem: Readonly<Record<string, unknown>>): string => {
  const faults = faultsOf(problem['errors']).map(({ field, message }) => `${field} ${message}`)
  const text =
    textOf(problem['detail']) ?? textOf(problem['title']) ?? 'The answer is not one of the service.'
  return `${status}: ${[text, faults.join('; ')].filter((part) => part !== '').join(' ')}`
}

/** The service refused a request, or something between answered in its place (I1). */
export class ApiError extends Error implements Answered {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unknown` where the answer is no problem of the service: a proxy gave it, say. */
  readonly code: ProblemCode | 'unknown'
  /** Every bad field of the request; empty where it is not about fields. */
  readonly errors: ReadonlyArray<FieldError>
  /** What the service's log calls the request. */
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  /** Reads the body of an error response, which may be anything. */
  constructor({ status, retryAfter }: Answered, body: unknown) {
    const problem = isObject(body) ? body : {}
    super(sentence(status, problem))
    this.status = status
    this.code = (textOf(problem['code']) ?? 'unknown') as ProblemCode | 'unknown'
    this.errors = faultsOf(problem['errors'])
    this.requestId = textOf(problem['requestId'])
    this.retryAfter = retryAfter
  }
}

/** The service gave no access token, or did not take one back: RFC 6749 §5.2 (A4). */
export class TokenError extends Error implements Answered {
  override readonly name = 'TokenError'
  readonly status: number
  /** Such as `invalid_client` or `invalid_scope`; `unknown` where the answer has none. */
  readonly error: string
  readonly retryAfter: number | undefined

  /** Reads the body of an error response, which may be anything. */
  constructor({ status, retryAfter }: Answered, body: unknown) {
    const { error, error_description } = isObject(body) ? body : {}
    super(`${status}: ${textOf(error_description) ?? 'The answer is not one of the token endpoint.'}`)
    this.status = status
    this.error = textOf(error) ?? 'unknown'
    this.retryAfter = retryAfter
  }
}

/** The credentials of a client. They belong on a server, because users of a page can read its script. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  /** What the token may do, of what the client holds, with spaces between; all of it when left out. */
  readonly scope?: string
}

/** The token endpoint and its counterpart, for one client. */
export interface OAuth {
  /** A new token. Rejects with a {@link TokenError}. */
  readonly obtain: Obtain
  /** Ends a token's life (RFC 7009). Rejects with a {@link TokenError}. */
  readonly revoke: (token: string) => Promise<void>
}

/** Talks to the token endpoint of a service with a client's credentials, in a form, never in an address (A4, A6). */
export const oauthOf = (baseUrl: string, credentials: Credentials, send: Send, now: () => number): OAuth => {
  const { clientId, clientSecret, scope } = credentials
  const post = async (path: keyof paths, fields: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret })
    const request = new Request(`${baseUrl}${path}`, { method: 'POST', body, signal })
    const response = await send(request)
    if (response.ok) return response
    const problem: unknown = await response.json().catch(() => undefined)
    throw new TokenError({ status: response.status, retryAfter: retryAfterOf(response, now()) }, problem)
  }
  return {
    obtain: async (signal) => {
      const asked = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }
      return (await post('/oauth2/get-token', asked, signal)).json() as Promise<AccessToken>
    },
    revoke: async (token) => {
      const answer = await post('/oauth2/revoke', { token }, AbortSignal.timeout(PATIENCE))
      await answer.body?.cancel()
    },
  }
}
