import { PROBLEMS } from '../problems/catalogue.ts'
import type { RouteDescription } from '../route.ts'
import { ALLOW_HEADER, COMMON_HEADERS, challengeHeader, retryHeader } from './headers.ts'
import { type JsonSchema, objectOf } from './schema.ts'

export const STRING: JsonSchema = { type: 'string' }

const PROBLEM_FIELDS = {
  type: { ...STRING, format: 'uri' },
  title: STRING,
  status: { type: 'integer' },
  detail: STRING,
  code: { ...STRING, enum: Object.keys(PROBLEMS) },
  requestId: STRING,
}
const errors = {
  type: 'array',
  items: objectOf({ field: STRING, message: STRING }),
  description: 'Every bad field of the request.',
}

const problemSchema = {
  ...objectOf({ ...PROBLEM_FIELDS, errors }, Object.keys(PROBLEM_FIELDS)),
  description: 'RFC 9457 problem details.',
}

const oauthErrorSchema = objectOf({ error: STRING, error_description: STRING }, ['error'])

/** Describes a response, with the header fields of all and `headers`. */
export const responseOf = (
  description: string,
  schema?: JsonSchema,
  { type = 'application/json', headers = {} }: { readonly type?: string; readonly headers?: object } = {},
) => ({
  description,
  headers: { ...COMMON_HEADERS, ...headers },
  ...(schema === undefined ? {} : { content: { [type]: { schema } } }),
})

/** Describes a response with a problem (I1). */
export const problemResponse = (description: string, headers: object = {}) =>
  responseOf(description, problemSchema, { type: 'application/problem+json', headers })

const oauthError = (description: string, headers: object = {}) =>
  responseOf(description, oauthErrorSchema, { headers })

const UNAVAILABLE =
  'Temporarily unavailable: nothing has changed. Without `Retry-After` the outcome of the request is unknown.'

/** The responses of many operations: problems, and OAuth's errors (I1). */
export const SHARED_RESPONSES = {
  Problem: problemResponse('Description of the problem.', ALLOW_HEADER),
  // A token that is sent twice is a bad request that RFC 6750 has a challenge for.
  Refused: problemResponse(
    'The request is not valid, or its token does not allow it.',
    challengeHeader(false),
  ),
  Unauthorized: problemResponse('The access token is missing or not valid.', challengeHeader(true)),
  Conflict: problemResponse('Reason.', retryHeader(false)),
  Busy: problemResponse('Temporarily unavailable. Retry later.', retryHeader(true)),
  Unavailable: problemResponse(UNAVAILABLE, retryHeader(false)),
  OAuthError: oauthError('Error as in RFC 6749.'),
  OAuthClientUnknown: oauthError('The client is unknown or its secret is wrong.', challengeHeader(true)),
  OAuthBusy: oauthError('Temporarily unavailable. Retry later.', retryHeader(true)),
  OAuthUnavailable: oauthError(UNAVAILABLE, retryHeader(false)),
} as const

/** Refers to a shared response. */
export const named = (name: keyof typeof SHARED_RESPONSES) => ({ $ref: `#/components/responses/${name}` })

/** The statuses of any request: a token that comes twice, is missing or not enough; a head too large; faults of the service. */
const OF_ALL = [400, 401, 403, 429, 431, 500, 503]

/** The statuses of a request with a body. */
const OF_BODIES = [408, 413, 415]

/** The statuses for an `Idempotency-Key` (I4). */
const OF_KEYS = [409, 422]

const SHARED: Readonly<Record<number, keyof typeof SHARED_RESPONSES>> = {
  400: 'Refused',
  401: 'Unauthorized',
  403: 'Refused',
  409: 'Conflict',
  429: 'Busy',
  503: 'Unavailable',
}

/** Returns the responses of a route other than success, by status; the default is 405 (I1, B3). */
export const faultsOf = ({ faults = [], method }: Pick<RouteDescription, 'faults' | 'method'>) => {
  const all = new Set([
    ...faults,
    ...OF_ALL,
    ...(method === 'GET' ? [] : OF_BODIES),
    ...(method === 'POST' ? OF_KEYS : []),
  ])
  const statuses = [...all].sort((a, b) => a - b)
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), named(SHARED[status] ?? 'Problem')])),
    default: named('Problem'),
  }
}
