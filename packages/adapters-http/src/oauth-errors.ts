import type { ExchangeTokenError, IssueTokenError, SubjectTokenReason } from '@almoner/domain/access'

/** An error answer of RFC 6749 §5.2, or of A8. */
export interface OAuthError {
  readonly status: number
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_scope'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'too_many_requests'
    | 'server_error'
    | 'temporarily_unavailable'
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
  /** Why a subject token was refused, for the log only (A10). */
  readonly reason?: SubjectTokenReason
}

/** A fault of the service at an OAuth endpoint, thrown so that the application's `onError` hooks see it. */
export class OAuthFault extends Error {
  override readonly name = 'OAuthFault'
  readonly answer: OAuthError
  /** For an application around the API that handles its own errors. */
  readonly statusCode: number
  constructor(answer: OAuthError) {
    super(answer.description, { cause: answer.cause })
    this.answer = answer
    this.statusCode = answer.status
  }
}

/** Returns the error of a request that is not valid. */
export const invalidRequest = (description: string): OAuthError => ({
  status: 400,
  error: 'invalid_request',
  description,
})

/** Other content types are 400 here, not 415 (A4). */
export const UNREADABLE_TYPE = invalidRequest(
  'Send application/x-www-form-urlencoded or application/json, not compressed.',
)

const INVALID_CLIENT: OAuthError = {
  status: 401,
  error: 'invalid_client',
  description: 'The client is unknown or its secret is wrong.',
  headers: { 'WWW-Authenticate': 'Basic realm="almoner", charset="UTF-8"' },
}

export const UNSUPPORTED_GRANT: OAuthError = {
  status: 400,
  error: 'unsupported_grant_type',
  description: 'The grants are client_credentials and token exchange.',
}

/** What a failure of a use case is at an OAuth endpoint. `now` is in milliseconds. */
export const oauthErrorOf = (failure: IssueTokenError | ExchangeTokenError, now: number): OAuthError => {
  switch (failure._tag) {
    case 'InvalidClient':
      return INVALID_CLIENT
    case 'InvalidScope':
      return {
        status: 400,
        error: 'invalid_scope',
        description: 'The client does not have the requested scope.',
      }
    case 'UnauthorizedClient':
      return {
        status: 400,
        error: 'unauthorized_client',
        description: 'The client may not obtain a token in this way.',
      }
    case 'SubjectTokenRefused':
      return { ...invalidRequest('The subject token is not valid.'), reason: failure.reason }
    case 'KeysUnavailable':
      return {
        status: 503,
        error: 'temporarily_unavailable',
        description: 'The identity provider cannot be asked now. Please try again.',
        headers: { 'Retry-After': String(failure.retryAfter) },
        cause: failure.cause,
      }
    case 'TooManyAttempts':
      return {
        status: 429,
        error: 'too_many_requests',
        description: 'Too many wrong credentials. Please wait.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil((failure.until - now) / 1000))) },
      }
    case 'Unavailable':
      return {
        status: 503,
        error: 'temporarily_unavailable',
        description: 'Please try again.',
        headers: { 'Retry-After': '5' },
        cause: failure.cause,
      }
    case 'OutcomeUnknown':
      // A token that was not delivered is useless: requesting another one does no harm.
      return {
        status: 503,
        error: 'temporarily_unavailable',
        description: 'The outcome of the request is unknown.',
        cause: failure.cause,
      }
  }
}
