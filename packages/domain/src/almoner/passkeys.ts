import { makeSignInByPasskey, makeStartPasskeySignIn } from '../managers/passkey-sign-in.ts'
import {
  makeAddPasskey,
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  makeStartPasskey,
} from '../managers/passkeys.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Passkeys of managers. A `PasskeyChecker` asks browsers and checks their responses. */
export interface PasskeysArea {
  /**
   * Lists the passkeys of the person of a session, in the order in which they were added (M3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.list(activeSession)
   * ```
   */
  readonly list: ReturnType<typeof makeListPasskeys>
  /**
   * Returns the options with which the browser makes a passkey for the person of a session, within five minutes (M3).
   * Fails with InsufficientScope, NoSession, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.start(passkeyChecker, activeSession)
   * ```
   */
  readonly start: ReturnType<typeof makeStartPasskey>
  /**
   * Stores the passkey of a browser's response to the options of the same person (M3).
   * Fails with InsufficientScope, NoSession, PasskeyNotStored, PasskeyRefused, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.add(passkeyChecker, activeSession, { name: passkey.name, response })
   * ```
   */
  readonly add: ReturnType<typeof makeAddPasskey>
  /**
   * Changes the name of a passkey of the person of a session (M3).
   * Fails with InsufficientScope, NoSession, PasskeyNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.rename(activeSession, { id: passkey.id, name: passkey.name })
   * ```
   */
  readonly rename: ReturnType<typeof makeRenamePasskey>
  /**
   * Deletes a passkey of the person of a session (M3). Sessions that it opened go on.
   * Fails with InsufficientScope, NoSession, PasskeyNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.remove(activeSession, { id: passkey.id })
   * ```
   */
  readonly remove: ReturnType<typeof makeRemovePasskey>
  /**
   * Returns the options with which the browser signs in by a passkey, within five minutes (M3). Limited by network (A8).
   * Fails with TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.startSignIn(passkeyChecker, { address: '192.0.2.1' })
   * ```
   */
  readonly startSignIn: ReturnType<typeof makeStartPasskeySignIn>
  /**
   * Opens a session for a browser's response to a challenge, which works once (M3, M4). Limits wrong ones by network (A8).
   * Fails with SignInRefused, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.passkeys.signIn(passkeyChecker, { response, address: '192.0.2.1', browser: 'Firefox' })
   * ```
   */
  readonly signIn: ReturnType<typeof makeSignInByPasskey>
}

/** Binds the use cases of passkeys to ports and a policy. */
export const makePasskeysArea = (ports: Ports, policy: Policy): PasskeysArea => ({
  list: makeListPasskeys(ports),
  start: makeStartPasskey(ports),
  add: makeAddPasskey(ports),
  rename: makeRenamePasskey(ports),
  remove: makeRemovePasskey(ports),
  startSignIn: makeStartPasskeySignIn(ports),
  signIn: makeSignInByPasskey(ports, policy),
})
