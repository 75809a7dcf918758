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
  'API-Version': header('Version of the API.', true, { const: API_VERSION }),
  'X-Request-Id': header('Identifier of this request, also in the log.', true, { format: 'uuid' }),
}

/** Of a response with one item (C10); not required where there may be none. */
export const etagHeader = (required: boolean) => ({
  ETag: header('Version of the item. Send it as `If-Match` with a write.', required, {
    pattern: '^"[^"]+"$',
  }),
})

const REPLAYED = 'This response is a replay of the first request with the same `Idempotency-Key`.'

/** Of the response to a POST (I4). */
export const REPLAYED_HEADER = { 'Idempotency-Replayed': header(REPLAYED, false, { const: 'true' }) }

/** Of a page that is not the last (C11). */
export const LINK_HEADER = {
  Link: header('URL of the next page with `rel="next"`, if there is one.', false, {
    pattern: '^<[^>]+>; rel="next"$',
  }),
}

/** Of a list of items whose matching items were counted (J5). */
export const TOTAL_HEADER = {
  'X-Total-Count': header('With `count=true`: the number of matching items.', false, {
    pattern: '^[0-9]+$',
  }),
}

const CHALLENGE = 'Authentication scheme: RFC 6750, or RFC 7617 for client credentials.'

/** The challenge to a rejected caller; `required` is false where there are other reasons to reject (A5). */
export const challengeHeader = (required: boolean) => ({
  'WWW-Authenticate': header(CHALLENGE, required, { pattern: '^(Bearer|Basic) ' }),
})

/** When to try again (A8, I1); not required where this may not be wise (I5). */
export const retryHeader = (required: boolean) => ({
  'Retry-After': header('Seconds to wait before a retry.', required, { pattern: '^[0-9]+$' }),
})

/** The methods that a path takes (B3). */
export const ALLOW_HEADER = { Allow: header('With 405: the methods that the path supports.', false) }
