import type { Ports } from '../ports/index.ts'
import { makeEraseUser } from '../use-cases/people/erase-user.ts'
import { makeGetPreference } from '../use-cases/people/get-preference.ts'
import { makeImportUsers } from '../use-cases/people/import-users.ts'
import { makeSetPreference } from '../use-cases/people/set-preference.ts'

/** People who can get notifications. */
export interface UsersArea {
  /**
   * Returns the language and the subscription of a user (F2, F3).
   * Fails with InsufficientScope, NoActingUser, UserNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.getPreference(donor, { email: 'me' })
   * ```
   */
  readonly getPreference: ReturnType<typeof makeGetPreference>
  /**
   * Changes the language or the subscription of a user, and creates an unknown user (F2, F3). Omitted fields stay.
   * Fails with InsufficientScope, NoActingUser, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.setPreference(donor, { email: 'me', lang: 'fr' })
   * ```
   */
  readonly setPreference: ReturnType<typeof makeSetPreference>
  /**
   * Creates or replaces users, and returns their number (F2). For operators: checks no caller. Repeat it after a failure.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.import([{ email, lang: 'fr', subscribed: true }])
   * ```
   */
  readonly import: ReturnType<typeof makeImportUsers>
  /**
   * Erases everything that is stored about a person, except for texts that the person wrote (L1). Requires the role `user-manager`.
   * Fails with InsufficientRole, InsufficientScope, NoActingUser, UserNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.erase(userManager, { email })
   * ```
   */
  readonly erase: ReturnType<typeof makeEraseUser>
}

/** Binds the use cases of users to ports. */
export const makeUsersArea = (ports: Ports): UsersArea => ({
  getPreference: makeGetPreference(ports),
  setPreference: makeSetPreference(ports),
  import: makeImportUsers(ports),
  erase: makeEraseUser(ports),
})
