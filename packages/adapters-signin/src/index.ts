/**
 * Ways to sign in to the console: passkeys.
 * @module @almoner/adapters-signin
 */

export { makePasskeyChecker, type PasskeySettings, passkeyHost } from './passkey-checker.ts'
