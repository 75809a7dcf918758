import type { FieldError, Scope } from '@almoner/domain'

/** The kinds of fault that callers can tell apart by `code` (I3): few, stable, each with one status. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_image: { status: 400, title: 'The image is not valid' },
  invalid_token: { status: 401, title: 'The access token is missing or not valid' },
  invalid_session: { status: 401, title: 'The session is missing or has ended' },
  invalid_link: { status: 401, title: 'The sign-in link is not valid' },
  sign_in_refused: { status: 401, title: 'The sign-in is refused' },
  email_unverified: { status: 401, title: 'The address is not verified' },
  insufficient_scope: { status: 403, title: 'The access token does not allow this' },
  insufficient_role: { status: 403, title: 'The client lacks a role' },
  no_user: { status: 403, title: 'The access token is bound to no user' },
  presence_required: { status: 403, title: 'A recent proof of presence is missing' },
  cross_site: { status: 403, title: 'The request comes from another site' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The path does not take this method' },
  request_timeout: { status: 408, title: 'The request did not come in time' },
  illegal_move: { status: 409, title: 'The item cannot move to that state' },
  not_publishable: { status: 409, title: 'The item lacks what a Live item needs' },
  has_counterpart: { status: 409, title: 'The item has a counterpart in the other language' },
  image_needed: { status: 409, title: 'A Live item needs this image' },
  image_gone: { status: 409, title: 'An image of the revision no longer exists' },
  last_operator: { status: 409, title: 'No enabled operator would be left' },
  notification_started: { status: 409, title: 'The notification is being sent already' },
  idempotency_key_in_use: { status: 409, title: 'The first request with this key is still running' },
  cursor_expired: { status: 410, title: 'The cursor is of no use any more' },
  precondition_failed: { status: 412, title: 'The item has changed since it was read' },
  content_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range lies beyond the end' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  headers_too_large: { status: 431, title: 'The header fields are too large' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The service cannot do this right now' },
  sign_in_unavailable: { status: 503, title: 'The identity provider does not answer' },
  erasure_unfinished: { status: 503, title: 'The erasure is not finished' },
  outcome_unknown: { status: 503, title: 'It is not known whether this was done' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>

/** A `code` of a problem: stable, one for each kind of fault (I3). */
export type ProblemCode = keyof typeof PROBLEMS

/** A fault as the caller sees it, before it is written as RFC 9457 (I1). */
export interface Problem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldError>
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

/** An exception that is answered with a problem. Its message names no part of the request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  /** For an application around the API that handles its own errors. */
  readonly statusCode: number
  constructor(problem: Problem) {
    super(problem.detail, { cause: problem.cause })
    this.problem = problem
    this.statusCode = PROBLEMS[problem.code].status
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Returns the body of a problem; every 400 has `errors`, though it may be empty. The log has the same `requestId`. */
export const problemBody = ({ code, detail, errors }: Problem, requestId: string) => ({
  type: `urn:almoner:problem:${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail,
  code,
  requestId,
  ...(errors !== undefined || PROBLEMS[code].status === 400 ? { errors: errors ?? [] } : {}),
})

export const badRequest = (detail: string, errors: ReadonlyArray<FieldError> = []): Problem => ({
  code: 'invalid_request',
  detail,
  errors,
})

export const UNKNOWN_PATH: Problem = { code: 'not_found', detail: 'There is no such path.' }

/** The problem of every fault of the service. */
export const internalError = (cause: unknown): Problem => ({
  code: 'internal_error',
  detail: 'The fault has been noted under this request id.',
  cause,
})

/** The problem of a write of which it is unknown whether it was committed (I5). No `Retry-After`: a repeat may write twice. */
export const unknownOutcome = (cause: unknown): Problem => ({
  code: 'outcome_unknown',
  detail: 'The connection to the database was lost meanwhile. Read again to see whether this was done.',
  cause,
})

export const busy = (cause: unknown): Problem => ({
  code: 'unavailable',
  detail: 'Nothing has changed. Please try again.',
  headers: { 'Retry-After': '5' },
  cause,
})

/** No session, or one that has ended: one response for both (M4). */
export const NO_SESSION: Problem = {
  code: 'invalid_session',
  detail: 'Sign in first.',
  headers: { 'WWW-Authenticate': 'Cookie realm="almoner"' },
}

const bearer = (parameters: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const text = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return { 'WWW-Authenticate': ['Bearer realm="almoner"', ...text].join(', ') }
}

/** No token came with the request: RFC 6750 §3.1 gives no error code then (A5). */
export const TOKEN_MISSING: Problem = {
  code: 'invalid_token',
  detail: 'Send an access token, as the parameter access_token or as Authorization: Bearer.',
  headers: bearer(),
}

/** The token is unknown, revoked, expired, or its client is disabled (A5, A6). */
export const TOKEN_INVALID: Problem = {
  code: 'invalid_token',
  detail: 'The access token is unknown, expired or revoked.',
  headers: bearer({ error: 'invalid_token' }),
}

/** The token came in more than one way, or twice (A5, RFC 6750 §2). */
export const TOKEN_REPEATED: Problem = {
  code: 'invalid_request',
  detail: 'Send the access token once.',
  errors: [{ field: 'access_token', message: 'must be given once' }],
  headers: bearer({ error: 'invalid_request' }),
}

/** The token is good and does not reach far enough (A5). */
export const scopeMissing = (scope: Scope): Problem => ({
  code: 'insufficient_scope',
  detail: `This needs the scope ${scope}.`,
  headers: bearer({ error: 'insufficient_scope', scope }),
})
