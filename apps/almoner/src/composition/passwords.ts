import { makePasswordChecker } from '@almoner/adapters-signin'
import type { PasswordChecker } from '@almoner/domain/access'
import type { OpenService } from './server.ts'

/** Makes the cryptography of passwords; undefined where the setting does not name them (M3). */
export const passwordsOf = ({ settings }: OpenService): PasswordChecker | undefined =>
  settings.consoleSignIn.includes('password') ? makePasswordChecker() : undefined
