import { makeIdentityProvider } from '@almoner/adapters-signin'
import type { IdentityProvider } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'
import type { ServiceAddress } from './address.ts'

/** Makes the identity provider of OpenID Connect; undefined where the settings do not name it (M3). */
export const identityProviderOf = (
  settings: Settings,
  { baseUrl }: Pick<ServiceAddress, 'baseUrl'>,
): IdentityProvider | undefined => {
  const { consoleSignIn, oidcIssuer, oidcClientId, oidcClientSecret, oidcDomains, oidcTrustEmail } = settings
  const isComplete = O.isSome(oidcIssuer) && O.isSome(oidcClientId) && O.isSome(oidcClientSecret)
  if (!consoleSignIn.includes('oidc') || !isComplete) return undefined
  return makeIdentityProvider({
    issuer: oidcIssuer.value,
    clientId: oidcClientId.value,
    clientSecret: oidcClientSecret.value,
    domains: oidcDomains,
    trustsEmail: oidcTrustEmail,
    redirectUri: () => `${baseUrl()}/console/sign-in`,
  })
}
