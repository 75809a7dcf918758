import { API_VERSION } from '../responses/headers.ts'
import type { JsonSchema } from './schema.ts'

/** A header field of an answer, as OpenAPI describes one. */
export interface DocumentedHeader {
  readonly description: string
  /** Whether every such answer has it. */
  readonly required: boolean
  readonly schema: JsonSchema
}

const always = (description: string, schema: JsonSchema): DocumentedHeader => ({
  description,
  required: true,
  schema,
})

/** What every answer carries (I1, I2). */
export const COMMON_HEADERS = {
  'API-Version': always('Version of the API.', { type: 'string', const: API_VERSION }),
  'X-Request-Id': always('Identifier of this request, also in the log.', { type: 'string', format: 'uuid' }),
}

/** What an answer with one item carries (C10); `required` is false where there may be no item to tag. */
export const etagHeader = (required: boolean) => ({
  ETag: {
    description: 'Version of the item. Send it as `If-Match` with a write.',
    required,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
})

/** What the answer to a POST may carry (I4). */
export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: 'This response is a replay of the first request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
}

/** What a page that is not the last carries (C11). */
export const LINK_HEADER = {
  Link: {
    description: 'URL of the next page with `rel="next"`, if there is one.',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
}

const CHALLENGE = 'Authentication scheme: RFC 6750, or RFC 7617 for client credentials.'

/** What a refused caller is told; `required` is false where there are other reasons to refuse (A5). */
export const challengeHeader = (required: boolean) => ({
  'WWW-Authenticate': {
    description: CHALLENGE,
    required,
    schema: { type: 'string', pattern: '^(Bearer|Basic) ' },
  },
})

/** When to come again (A8, I1); `required` is false where coming again may not be wise (I5). */
export const retryHeader = (required: boolean) => ({
  'Retry-After': {
    ...always('Seconds to wait before a retry.', { type: 'string', pattern: '^[0-9]+$' }),
    required,
  },
})

/** The methods that a path takes (B3). */
export const ALLOW_HEADER = {
  Allow: {
    description: 'With 405: the methods that the path supports.',
    required: false,
    schema: { type: 'string' },
  },
}
