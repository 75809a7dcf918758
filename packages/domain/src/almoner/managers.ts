import {
  makeEndManagerSessions,
  makeEndOtherSessions,
  makeListManagerSessions,
  makeListOwnSessions,
} from '../managers/manager-sessions.ts'
import { makeShowLink } from '../managers/signing-in.ts'
import {
  makeInviteAgain,
  makeInviteManager,
  makeListManagerPasskeys,
  makeListManagers,
  makeRemoveManagerPasskey,
  makeRemoveManagerPassword,
  makeSetManagerAccess,
} from '../managers/use-cases.ts'
import type { Ports } from '../ports.ts'

/** Managers, as operators manage them, and the sessions of managers. */
export interface ManagersArea {
  /**
   * Lists all managers by address (M2). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.list(manager, {})
   * ```
   */
  readonly list: ReturnType<typeof makeListManagers>
  /**
   * Adds a manager, and returns the secret of a link that signs in once within 24 hours (M2). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, ManagerDisabled, ManagerExists, ManagerNotFound, PresenceRequired,
   * Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.invite(manager, { ...editor })
   * ```
   */
  readonly invite: ReturnType<typeof makeInviteManager>
  /**
   * Makes another link that signs a manager in once within 24 hours (M2). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, ManagerDisabled, ManagerNotFound, PresenceRequired, Unavailable or
   * OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.inviteAgain(manager, { email: editor.email })
   * ```
   */
  readonly inviteAgain: ReturnType<typeof makeInviteAgain>
  /**
   * Returns the manager whom the secret of a link would sign in, and leaves the link (M2). Limits wrong ones by address (A8).
   * Fails with InvalidLink, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.showLink({ secret, address: '192.0.2.1' })
   * ```
   */
  readonly showLink: ReturnType<typeof makeShowLink>
  /**
   * Changes the duty of a manager, or disables or enables one, which ends the manager's sessions and links (M4). The last enabled operator
   * stays one (L4). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, LastOperator, ManagerNotFound, NoSession, PresenceRequired, Unavailable or
   * OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.setAccess(manager, { email: editor.email, disabled: true })
   * ```
   */
  readonly setAccess: ReturnType<typeof makeSetManagerAccess>
  /**
   * Deletes the password of a manager, and ends the manager's sessions (M3, M4). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, NoSession, PasswordNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.removePassword(manager, { email: editor.email })
   * ```
   */
  readonly removePassword: ReturnType<typeof makeRemoveManagerPassword>
  /**
   * Lists the passkeys of a manager, in the order in which they were added (M3). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, ManagerNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.listPasskeys(manager, { email: editor.email })
   * ```
   */
  readonly listPasskeys: ReturnType<typeof makeListManagerPasskeys>
  /**
   * Deletes a passkey of a manager, and ends the manager's sessions and links (M3, M4). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, NoSession, PasskeyNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.removePasskey(manager, { email: editor.email, id: passkey.id })
   * ```
   */
  readonly removePasskey: ReturnType<typeof makeRemoveManagerPasskey>
  /**
   * Lists the open sessions of a manager, newest first (M4). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, ManagerNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.listSessions(manager, { email: editor.email })
   * ```
   */
  readonly listSessions: ReturnType<typeof makeListManagerSessions>
  /**
   * Ends all sessions of a manager, and returns how many there were (M4). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, ManagerNotFound, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.endSessions(manager, { email: editor.email })
   * ```
   */
  readonly endSessions: ReturnType<typeof makeEndManagerSessions>
  /**
   * Lists the open sessions of the person of a session, newest first (M4).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.listOwnSessions(activeSession)
   * ```
   */
  readonly listOwnSessions: ReturnType<typeof makeListOwnSessions>
  /**
   * Ends all other sessions of the person of a session, and returns how many there were (M4).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.managers.endOtherSessions(activeSession)
   * ```
   */
  readonly endOtherSessions: ReturnType<typeof makeEndOtherSessions>
}

/** Binds the use cases of managers to ports. */
export const makeManagersArea = (ports: Ports): ManagersArea => ({
  list: makeListManagers(ports),
  invite: makeInviteManager(ports),
  inviteAgain: makeInviteAgain(ports),
  showLink: makeShowLink(ports),
  setAccess: makeSetManagerAccess(ports),
  removePassword: makeRemoveManagerPassword(ports),
  listPasskeys: makeListManagerPasskeys(ports),
  removePasskey: makeRemoveManagerPasskey(ports),
  listSessions: makeListManagerSessions(ports),
  endSessions: makeEndManagerSessions(ports),
  listOwnSessions: makeListOwnSessions(ports),
  endOtherSessions: makeEndOtherSessions(ports),
})
