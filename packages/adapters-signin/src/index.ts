/**
 * Ways to sign in to the console: passkeys, an identity provider by OpenID Connect, and passwords with codes of an authenticator app.
 * @module @almoner/adapters-signin
 */

export type { HttpsProxy } from './https-proxy.ts'
export { type IdentityProviderSettings, makeIdentityProvider } from './identity-provider.ts'
export { makePasskeyChecker, type PasskeySettings, passkeyHost } from './passkey-checker.ts'
export { makePasswordChecker } from './password-checker.ts'
