/** Why a sign-in is refused. For the log alone: callers learn no more than M3 and M11 allow. */
export type SignInReason =
  /** The link is unknown, used or expired, or its manager is disabled. */
  | 'invalid-link'
  /** The challenge of a passkey, or the begun sign-in at the provider, is unknown, used or expired, or belongs to another browser. */
  | 'not-begun-here'
  | 'unknown-passkey'
  | 'wrong-passkey-response'
  | 'wrong-password'
  /** The code is wrong, used or locked (M9), or the password was changed meanwhile. */
  | 'wrong-code'
  /** The person cancelled, or the provider refused the person. */
  | 'refused-by-provider'
  /** Another state, nonce, issuer or signature, or a code that the provider does not accept. */
  | 'wrong-provider-response'
  /** The userinfo endpoint answered for another subject. */
  | 'other-subject'
  | 'no-address'
  | 'addresses-differ'
  | 'address-not-verified'
  | 'verification-not-stated'
  | 'domain-not-allowed'
  | 'unknown-manager'
  | 'disabled-manager'
  | 'other-account-linked'
  /** The credential, the duty or the manager changed between the check and the opening of the session. */
  | 'changed-meanwhile'
