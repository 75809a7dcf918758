/** The kinds of fault that callers can tell apart by `code` (I3): few, stable, each with one status. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_image: { status: 400, title: 'The image is not valid' },
  invalid_token: { status: 401, title: 'The access token is missing or not valid' },
  invalid_session: { status: 401, title: 'The session is missing or has ended' },
  invalid_link: { status: 401, title: 'The sign-in link is not valid' },
  insufficient_scope: { status: 403, title: 'The access token does not allow this' },
  insufficient_role: { status: 403, title: 'The client lacks a role' },
  no_user: { status: 403, title: 'The access token is bound to no user' },
  presence_required: { status: 403, title: 'A recent proof of presence is missing' },
  cross_site: { status: 403, title: 'The request comes from another site' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The path does not take this method' },
  request_timeout: { status: 408, title: 'The request did not come in time' },
  illegal_move: { status: 409, title: 'The item cannot move to that state' },
  has_counterpart: { status: 409, title: 'The item has a counterpart in the other language' },
  image_needed: { status: 409, title: 'A Live item needs this image' },
  image_gone: { status: 409, title: 'An image of the revision no longer exists' },
  idempotency_key_in_use: { status: 409, title: 'The first request with this key is still running' },
  precondition_failed: { status: 412, title: 'The item has changed since it was read' },
  content_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range lies beyond the end' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  headers_too_large: { status: 431, title: 'The header fields are too large' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The service cannot do this right now' },
  outcome_unknown: { status: 503, title: 'It is not known whether this was done' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>

/** A `code` of a problem: stable, one for each kind of fault (I3). */
export type ProblemCode = keyof typeof PROBLEMS
