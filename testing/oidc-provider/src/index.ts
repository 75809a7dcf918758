/**
 * A local OpenID provider for tests.
 * @module @almoner/oidc-provider
 */

export { type Account, type OidcProvider, openProvider, type ProviderOptions } from './provider.ts'
export { signInAt } from './sign-in-at.ts'
