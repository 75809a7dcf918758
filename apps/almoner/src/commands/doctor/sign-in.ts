import * as O from 'fp-ts/lib/Option.js'
import { hasPasskeyHost } from '../../composition/passkeys.ts'
import { SETTINGS } from '../../config/definitions.ts'
import { type Check, ok, warning } from './finding.ts'

/** Checks whether browsers make passkeys for the address of the service (M3). */
export const signInCheck: Check = {
  name: 'sign-in',
  look: async ({ settings: { baseUrl, console: hasConsole, consoleSignIn } }) => {
    if (!hasConsole || !consoleSignIn.includes('passkey'))
      return [ok('managers of the console sign in without passkeys')]
    const { name } = SETTINGS.baseUrl
    if (O.isNone(baseUrl)) return [ok(`managers sign in by links; passkeys need ${name} with a host name`)]
    if (hasPasskeyHost(baseUrl.value)) return [ok('managers can sign in by passkeys')]
    return [
      warning(
        `browsers make no passkeys for ${name}: it has no host name, or is neither https nor localhost`,
        `set ${name} to an https URL with a host name; until then managers sign in by links`,
      ),
    ]
  },
}
