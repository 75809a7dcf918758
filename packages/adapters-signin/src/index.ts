/**
 * Ways to sign in to the console: passkeys, an identity provider by OpenID Connect, and passwords with codes of an authenticator app.
 * @module @almoner/adapters-signin
 */

export { makePasskeyChecker, makePasswordChecker, type PasskeySettings, passkeyHost } from './checkers.ts'
export type { HttpsProxy } from './https-proxy.ts'
export { type IdTokenSettings, makeIdTokens } from './id-tokens.ts'
export { type IdentityProviderSettings, makeIdentityProvider } from './identity-provider.ts'
