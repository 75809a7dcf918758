/**
 * Ways to sign in to the console: passkeys, and an identity provider by OpenID Connect.
 * @module @almoner/adapters-signin
 */

export { type IdentityProviderSettings, makeIdentityProvider } from './identity-provider.ts'
export { makePasskeyChecker, type PasskeySettings, passkeyHost } from './passkey-checker.ts'
