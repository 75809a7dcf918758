import { API_VERSION } from '../responses/headers.ts'
import type { JsonSchema } from './schema.ts'

/** Describes a header field; `required` is whether every such response has it. */
const header = (description: string, required: boolean, schema: JsonSchema = {}) => ({
  description,
  required,
  schema: { type: 'string', ...schema },
})

/** The header fields of every response (I1, I2). */
export const COMMON_HEADERS = {
  'API-Version': header('Version of the interface.', true, { const: API_VERSION }),
  'X-Request-Id': header('What the log calls this request.', true, { format: 'uuid' }),
}

/** Of a response with one item (C10); not required where there may be none. */
export const etagHeader = (required: boolean) => ({
  ETag: header('What the item is now: send it as If-Match when writing.', required, {
    pattern: '^"[^"]+"$',
  }),
})

const REPLAYED = 'The answer was given before, to the first request with the same Idempotency-Key.'

/** Of the response to a POST (I4). */
export const REPLAYED_HEADER = { 'Idempotency-Replayed': header(REPLAYED, false, { const: 'true' }) }

/** Of a page that is not the last (C11). */
export const LINK_HEADER = {
  Link: header('The next page, with rel="next", when there is one.', false, {
    pattern: '^<[^>]+>; rel="next"$',
  }),
}

const CHALLENGE = 'How to prove who calls: RFC 6750, or RFC 7617 where clients show their credentials.'

/** Of a rejected caller (A5); not required where there are other reasons to reject. */
export const challengeHeader = (required: boolean) => ({
  'WWW-Authenticate': header(CHALLENGE, required, { pattern: '^(Bearer|Basic) ' }),
})

/** When to try again (A8, I1); not required where this may not be wise (I5). */
export const retryHeader = (required: boolean) => ({
  'Retry-After': header('Seconds to wait.', required, { pattern: '^[0-9]+$' }),
})

/** The methods that a path takes (B3). */
export const ALLOW_HEADER = { Allow: header('With 405: the methods that the path takes.', false) }
