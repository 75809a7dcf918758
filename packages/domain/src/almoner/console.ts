import type { Ports } from '../ports/index.ts'
import { makeAddManager, makeCreateSignInLink } from '../use-cases/console/manage-managers.ts'
import { makeFindSession, makeSignOut } from '../use-cases/console/sessions.ts'
import { makeSignIn } from '../use-cases/console/sign-in.ts'
import type { Policy } from '../use-cases/policy.ts'

/** Managers, and their way into the console. */
export interface ConsoleArea {
  /**
   * Adds a manager, and returns the secret of a link that signs in once within 24 hours (M2). For operators: checks no caller.
   * Fails with ManagerExists, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.addManager(editor)
   * ```
   */
  readonly addManager: ReturnType<typeof makeAddManager>
  /**
   * Makes a link that signs a manager in once, within 24 hours or the number of seconds given (M2). For operators: checks no caller.
   * Fails with ManagerDisabled, ManagerNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.createSignInLink(editor.email)
   * ```
   */
  readonly createSignInLink: ReturnType<typeof makeCreateSignInLink>
  /**
   * Opens a session for the secret of a link, which works once (M3, M4). Limits wrong ones by address (A8).
   * Fails with InvalidLink, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.signIn({ secret, address: '192.0.2.1', browser: 'Firefox' })
   * ```
   */
  readonly signIn: ReturnType<typeof makeSignIn>
  /**
   * Returns the session behind a secret with its manager, and puts its idle end off (M4).
   * Fails with NoSession, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.findSession(secret)
   * ```
   */
  readonly findSession: ReturnType<typeof makeFindSession>
  /**
   * Ends the session behind a secret everywhere (M4). An unknown one changes nothing.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.console.signOut(secret)
   * ```
   */
  readonly signOut: ReturnType<typeof makeSignOut>
}

/** Binds the use cases of managers and sessions to ports and a policy. */
export const makeConsoleArea = (ports: Ports, policy: Policy): ConsoleArea => ({
  addManager: makeAddManager(ports),
  createSignInLink: makeCreateSignInLink(ports),
  signIn: makeSignIn(ports, policy),
  findSession: makeFindSession(ports, policy),
  signOut: makeSignOut(ports),
})
