import {
  makeIdentityProvider,
  makePasskeyChecker,
  makePasswordChecker,
  passkeyHost,
} from '@almoner/adapters-signin'
import type { IdentityProvider, PasskeyChecker, PasswordChecker } from '@almoner/domain/managers'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'
import type { ServiceAddress } from './address.ts'
import type { OpenService } from './server.ts'

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
    proxy: settings.proxy,
    redirectUri: () => `${baseUrl()}/console/sign-in`,
  })
}

/** Makes the checker of passkeys; undefined where the setting does not name them (M3). */
export const passkeysOf = ({ settings, address }: OpenService): PasskeyChecker | undefined =>
  settings.consoleSignIn.includes('passkey') ? makePasskeyChecker({ baseUrl: address.baseUrl }) : undefined

/** Returns whether browsers make passkeys for a URL. */
export const hasPasskeyHost = (baseUrl: string): boolean => passkeyHost(baseUrl) !== undefined

/** Makes the cryptography of passwords; undefined where the setting does not name them (M3). */
export const passwordsOf = ({ settings }: OpenService): PasswordChecker | undefined =>
  settings.consoleSignIn.includes('password') ? makePasswordChecker() : undefined
