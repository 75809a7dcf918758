import { badRequest, PROBLEMS, problemBody } from '../problems/problem.ts'
import {
  ALLOW_HEADER,
  COMMON_HEADERS,
  challengeHeader,
  exampleOf,
  type JsonSchema,
  objectOf,
  retryHeader,
  titled,
} from './schema.ts'

export const STRING: JsonSchema = { type: 'string' }

const EXAMPLE = problemBody(
  badRequest('A parameter is missing or not valid.', [{ field: 'itemTitle', message: 'is required' }]),
  '5e4a9d1c-3f0b-4c6e-8a57-2d1f0b9c7e66',
)

const PROBLEM_FIELDS = {
  type: { ...STRING, format: 'uri' },
  title: STRING,
  status: { type: 'integer' },
  detail: STRING,
  code: titled('ProblemCode', { ...STRING, enum: Object.keys(PROBLEMS) }),
  requestId: { ...STRING, format: 'uuid' },
}
const errors = {
  type: 'array',
  items: titled('FieldError', objectOf({ field: STRING, message: STRING })),
  description: 'Every bad field of the request.',
}

const problemSchema = titled('Problem', {
  ...objectOf({ ...PROBLEM_FIELDS, errors }, Object.keys(PROBLEM_FIELDS)),
  description: 'RFC 9457 problem details.',
  example: EXAMPLE,
})

const oauthErrorSchema = titled(
  'OAuthError',
  objectOf({ error: { ...STRING, example: 'invalid_client' }, error_description: STRING }, ['error']),
)

/** Describes content, with the example that its schema has (I7). */
export const contentOf = (schema: JsonSchema) => {
  const example = exampleOf(schema)
  return { schema, ...(example === undefined ? {} : { example }) }
}

/** Describes a response, with the header fields of all and `headers`. */
export const responseOf = (
  description: string,
  schema?: JsonSchema,
  { type = 'application/json', headers = {} }: { readonly type?: string; readonly headers?: object } = {},
) => ({
  description,
  headers: { ...COMMON_HEADERS, ...headers },
  ...(schema === undefined ? {} : { content: { [type]: contentOf(schema) } }),
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
