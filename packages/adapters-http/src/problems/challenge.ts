import type { Scope } from '@almoner/domain'
import type { Problem } from './problem.ts'

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
