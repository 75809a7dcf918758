import { PROBLEMS } from '../problems/catalogue.ts'
import { ALLOW_HEADER, COMMON_HEADERS, challengeHeader, retryHeader } from './headers.ts'

const fieldFault = {
  type: 'object',
  properties: { field: { type: 'string' }, message: { type: 'string' } },
  required: ['field', 'message'],
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    requestId: { type: 'string' },
    errors: { type: 'array', items: fieldFault, description: 'Every bad field of the request.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
}

const oauthErrorSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error'],
}

const problem = (description: string, more: object = {}) => ({
  description,
  headers: { ...COMMON_HEADERS, ...more },
  content: { 'application/problem+json': { schema: problemSchema } },
})

const oauthError = (description: string, more: object = {}) => ({
  description,
  headers: { ...COMMON_HEADERS, ...more },
  content: { 'application/json': { schema: oauthErrorSchema } },
})

const UNAVAILABLE =
  'Temporarily unavailable: nothing has changed. Without `Retry-After` the outcome of the request is unknown.'

/** The answers that many operations give: problems, and OAuth's errors (I1). */
export const SHARED_RESPONSES = {
  Problem: problem('Description of the problem.', ALLOW_HEADER),
  // A token that is sent twice is a bad request that RFC 6750 has a challenge for.
  Refused: problem('The request is not valid, or its token does not allow it.', challengeHeader(false)),
  Unauthorized: problem('The access token is missing or not valid.', challengeHeader(true)),
  Conflict: problem('Reason.', retryHeader(false)),
  Busy: problem('Temporarily unavailable. Retry later.', retryHeader(true)),
  Unavailable: problem(UNAVAILABLE, retryHeader(false)),
  OAuthError: oauthError('Error as in RFC 6749.'),
  OAuthClientUnknown: oauthError('The client is unknown or its secret is wrong.', challengeHeader(true)),
  OAuthBusy: oauthError('Temporarily unavailable. Retry later.', retryHeader(true)),
  OAuthUnavailable: oauthError(UNAVAILABLE, retryHeader(false)),
} as const
