/**
 * People of the console: credentials, sessions and working copies.
 * @module @almoner/domain/managers
 */

export {
  ALLOWED_CODES,
  acceptedStep,
  countedCodes,
  type HmacSha1,
  isUsedStep,
  newRecoveryCodes,
  plainCode,
  RECOVERY_CODES,
  refusesCodes,
  TOTP_SECRET_BYTES,
  TotpSecret,
  totpCode,
  totpSecretOf,
  totpStep,
  totpUri,
  USED_AHEAD,
  withWrongCode,
} from './codes.ts'
export * from './credentials.ts'
export * from './identities.ts'
export * from './manager-sessions.ts'
export * from './model.ts'
export * from './passkey-sign-in.ts'
export * from './passkeys.ts'
export * from './password-sign-in.ts'
export * from './passwords.ts'
export {
  isPreviewToken,
  PREVIEWED_TEXTS,
  type PreviewedText,
  type PreviewToken,
  PreviewUrl,
  previewAddress,
} from './preview.ts'
export * from './previews.ts'
export * from './session.ts'
export {
  attemptKeys,
  type CheckedSignIn,
  type InvalidLink,
  makeFindSession,
  makeShowLink,
  makeSignIn,
  makeSignOut,
  type OpenedSession,
  openSession,
  type SignInAttempt,
  type SignInSource,
} from './signing-in.ts'
export * from './use-cases.ts'
export * from './working-copies.ts'
export * from './working-copy.ts'
