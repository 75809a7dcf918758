/**
 * A local OpenID provider for tests.
 * @module @almoner/oidc-provider
 */

export { KNOWN_PROVIDERS, type KnownProvider } from './known-providers.ts'
export {
  type Account,
  type OidcProvider,
  openProvider,
  type ProviderOptions,
  type SentClaims,
} from './provider.ts'
export { idTokenOf, signInAt } from './sign-in-at.ts'
export { namedKey, publishedKey, signatureOf, signToken, type TestKey, tokenWith } from './signing.ts'
