import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { hasPasskeyHost, identityProviderOf } from '../../composition/sign-in.ts'
import { SETTINGS, type Settings } from '../../config/definitions.ts'
import { messageOf } from '../../failure.ts'
import { type Check, type Examination, type Found, fault, ok, warning } from './finding.ts'

/** Checks whether browsers make passkeys for the address of the service. */
const passkeyFinding = ({ baseUrl }: Settings): Found => {
  const { name } = SETTINGS.baseUrl
  if (O.isNone(baseUrl)) return ok(`managers sign in by links; passkeys need ${name} with a host name`)
  if (hasPasskeyHost(baseUrl.value)) return ok('managers can sign in by passkeys')
  return warning(
    'sign-in-passkeys',
    `browsers make no passkeys for ${name}: it has no host name, or is neither https nor localhost`,
    `set ${name} to an https URL with a host name; until then managers sign in by links`,
  )
}

/** Asks the OpenID provider for its configuration, which every sign-in there begins with. */
const providerFindings = async ({ settings, service }: Examination): Promise<ReadonlyArray<Found>> => {
  const provider = identityProviderOf(settings, service.address)
  if (provider === undefined) return []
  const started = await provider.start('', false)()
  if (E.isRight(started)) {
    const redirectUri = new URL(started.right).searchParams.get('redirect_uri')
    return [ok(`the OpenID provider answers; it must know the redirect URI ${redirectUri}`)]
  }
  const { name } = SETTINGS.oidcIssuer
  return [
    fault(
      'sign-in-provider',
      `the OpenID provider does not give its configuration: ${messageOf(started.left.cause)}`,
      `check ${name} and the network; until then managers sign in by links`,
    ),
  ]
}

/** Checks the ways to sign in to the console (M3). */
export const signInCheck: Check = {
  name: 'sign-in',
  asks: 'the OpenID provider',
  look: async (examination) => {
    const { settings } = examination
    const { console: hasConsole, consoleSignIn } = settings
    if (!hasConsole) return [ok('there is no console to sign in to')]
    const passkeys = consoleSignIn.includes('passkey')
      ? [passkeyFinding(settings)]
      : [ok('managers of the console sign in without passkeys')]
    return [...passkeys, ...(await providerFindings(examination))]
  },
}
