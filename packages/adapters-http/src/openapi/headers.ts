import { API_VERSION } from '../version.ts'
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
  'API-Version': always('Version of the interface.', { type: 'string', const: API_VERSION }),
  'X-Request-Id': always('What the log calls this request.', { type: 'string', format: 'uuid' }),
}

/** What an answer with one item carries (C10); `required` is false where there may be no item to tag. */
export const etagHeader = (required: boolean) => ({
  ETag: {
    description: 'What the item is now: send it as If-Match when writing.',
    required,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
})

/** What the answer to a POST may carry (I4). */
export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: 'The answer was given before, to the first request with the same Idempotency-Key.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
}

/** What a page that is not the last carries (C11). */
export const LINK_HEADER = {
  Link: {
    description: 'The next page, with rel="next", when there is one.',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
}

const CHALLENGE = 'How to prove who calls: RFC 6750, or RFC 7617 where clients show their credentials.'

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
    ...always('Seconds to wait.', { type: 'string', pattern: '^[0-9]+$' }),
    required,
  },
})

/** The methods that a path takes (B3). */
export const ALLOW_HEADER = {
  Allow: {
    description: 'With 405: the methods that the path takes.',
    required: false,
    schema: { type: 'string' },
  },
}
