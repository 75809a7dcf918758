import type { IdentityRefused, ProviderUnavailable, SignInReason } from '@almoner/domain/managers'

/** Makes the refusal of a person or of a response. */
export const refused = (reason: SignInReason): IdentityRefused => ({ _tag: 'IdentityRefused', reason })

/** The codes of errors that refuse a response, and why: it is not that of this browser's sign-in. */
const REASONS: ReadonlyMap<unknown, SignInReason> = new Map([
  ['OAUTH_INVALID_RESPONSE', 'wrong-provider-response'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'wrong-provider-response'],
])

/**
 * Returns whether a sign-in is refused, or the provider does not answer as it should. The provider refuses a person or a code; every other error,
 * such as a wrong client secret, is for the operator.
 */
export const failureOf = (cause: unknown): IdentityRefused | ProviderUnavailable => {
  const unavailable: ProviderUnavailable = { _tag: 'ProviderUnavailable', cause }
  if (!(cause instanceof Error)) return unavailable
  if (cause.name === 'AuthorizationResponseError') return refused('refused-by-provider')
  if (cause.name === 'ResponseBodyError' && 'error' in cause && cause.error === 'invalid_grant')
    return refused('wrong-provider-response')
  const reason = 'code' in cause ? REASONS.get(cause.code) : undefined
  return reason === undefined ? unavailable : refused(reason)
}

/** As {@link failureOf}, for the userinfo endpoint, which may answer for another subject (M11). The same code says more of other documents. */
export const failureOfUserinfo = (cause: unknown): IdentityRefused | ProviderUnavailable =>
  cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
    ? refused('other-subject')
    : failureOf(cause)
