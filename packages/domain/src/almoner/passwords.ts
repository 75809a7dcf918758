import { makeSignInByPassword } from '../managers/password-sign-in.ts'
import {
  makeChangePassword,
  makeRemovePassword,
  makeRenewRecoveryCodes,
  makeSetPassword,
  makeShowPassword,
  makeStartPassword,
} from '../managers/passwords.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Passwords of managers, always with a code of an authenticator app. A `PasswordChecker` has the cryptography. */
export interface PasswordsArea {
  /**
   * Returns the password of the person of a session, if there is one (M3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.show(activeSession)
   * ```
   */
  readonly show: ReturnType<typeof makeShowPassword>
  /**
   * Makes a secret for the authenticator app of the person of a session, which can be confirmed within half an hour (M3).
   * Fails with InsufficientScope, NoSession, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.start(passwordChecker, activeSession)
   * ```
   */
  readonly start: ReturnType<typeof makeStartPassword>
  /**
   * Sets the password and the authenticator app of the person of a session, ends the person's other sessions, and returns ten recovery codes
   * (M3, M4).
   * Fails with InsufficientScope, NoSession, PresenceRequired, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.set(passwordChecker, activeSession, { password, secret: totpSecret, code: '123456' })
   * ```
   */
  readonly set: ReturnType<typeof makeSetPassword>
  /**
   * Changes the password of the person of a session, and ends the person's other sessions (M3, M4).
   * Fails with InsufficientScope, NoSession, PasswordNotFound, PresenceRequired, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.change(passwordChecker, activeSession, { password })
   * ```
   */
  readonly change: ReturnType<typeof makeChangePassword>
  /**
   * Replaces the recovery codes of the person of a session by ten new ones, and returns them (M3).
   * Fails with InsufficientScope, NoSession, PasswordNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.renewRecoveryCodes(passwordChecker, activeSession)
   * ```
   */
  readonly renewRecoveryCodes: ReturnType<typeof makeRenewRecoveryCodes>
  /**
   * Deletes the password of the person of a session, and ends the person's other sessions (M3, M4).
   * Fails with InsufficientScope, NoSession, PasswordNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passwords.remove(activeSession)
   * ```
   */
  readonly remove: ReturnType<typeof makeRemovePassword>
  /**
   * Opens a session for a password and a code, which works once (M3, M4). Limits wrong ones by address of person and network (A8).
   * Fails with SignInRefused, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const attempt = { email: editor.email, password, code: '123456', address: '192.0.2.1', browser: 'Firefox' }
   * const result = await almoner.promises.passwords.signIn(passwordChecker, attempt)
   * ```
   */
  readonly signIn: ReturnType<typeof makeSignInByPassword>
}

/** Binds the use cases of passwords to ports and a policy. */
export const makePasswordsArea = (ports: Ports, policy: Policy): PasswordsArea => ({
  show: makeShowPassword(ports),
  start: makeStartPassword(ports),
  set: makeSetPassword(ports),
  change: makeChangePassword(ports),
  renewRecoveryCodes: makeRenewRecoveryCodes(ports),
  remove: makeRemovePassword(ports),
  signIn: makeSignInByPassword(ports, policy),
})
