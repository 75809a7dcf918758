import { makePasskeyChecker, passkeyHost } from '@almoner/adapters-signin'
import type { PasskeyChecker } from '@almoner/domain/access'
import type { OpenService } from './server.ts'

/** Makes the checker of passkeys; undefined where the setting does not name them (M3). */
export const passkeysOf = ({ settings, address }: OpenService): PasskeyChecker | undefined =>
  settings.consoleSignIn.includes('passkey') ? makePasskeyChecker({ baseUrl: address.baseUrl }) : undefined

/** Returns whether browsers make passkeys for a URL. */
export const hasPasskeyHost = (baseUrl: string): boolean => passkeyHost(baseUrl) !== undefined
