import type { IdentityRefused, ProviderUnavailable } from '@almoner/domain/access'

const REFUSED: IdentityRefused = { _tag: 'IdentityRefused' }

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)

/** Codes of responses that are not those of this browser's sign-in: another state, issuer, nonce or signature. */
const NOT_OURS: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
])

/**
 * Returns whether a sign-in is refused, or the provider does not answer as it should. The provider refuses a person or a code; every other error,
 * such as a wrong client secret, is for the operator.
 */
export const failureOf = (cause: unknown): IdentityRefused | ProviderUnavailable => {
  const unavailable: ProviderUnavailable = { _tag: 'ProviderUnavailable', cause }
  if (!(cause instanceof Error)) return unavailable
  if (cause.name === 'AuthorizationResponseError') return REFUSED
  const isWrongCode =
    cause.name === 'ResponseBodyError' && 'error' in cause && cause.error === 'invalid_grant'
  return isWrongCode || NOT_OURS.has(codeOf(cause)) ? REFUSED : unavailable
}
