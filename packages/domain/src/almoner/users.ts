import { makeGetPreference, makeImportUsers, makeSetPreference } from '../people/preferences.ts'
import {
  makeErasePerson,
  makeEraseUser,
  makeExportPerson,
  makeFindPeople,
  makeListPostsOfPerson,
  makeShowPerson,
} from '../personal-data/use-cases.ts'
import type { Ports } from '../ports.ts'

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
   * Fails with ErasureUnfinished, InsufficientRole, InsufficientScope, LastOperator, NoActingUser, NoSession, PresenceRequired,
   * UserNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.erase(userManager, { email })
   * ```
   */
  readonly erase: ReturnType<typeof makeEraseUser>
  /**
   * Finds at most 20 people by their address or a part of it (M2). Requires the role `user-manager`.
   * Fails with InsufficientRole, InsufficientScope, RightsEnded, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.find(operator, { address: 'example.org' })
   * ```
   */
  readonly find: ReturnType<typeof makeFindPeople>
  /**
   * Returns an overview of a person's data, without device tokens, by the number of the records of changes (L2, M10). Requires the role
   * `user-manager`.
   * Fails with InsufficientRole, InsufficientScope, UserNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.show(operator, { number: 7 })
   * ```
   */
  readonly show: ReturnType<typeof makeShowPerson>
  /**
   * Returns everything that is stored about a person as JSON, by the number of the records of changes (L2). Requires the role `user-manager`,
   * and of a session a recent proof of presence (M10).
   * Fails with InsufficientRole, InsufficientScope, PresenceRequired, RightsEnded, UserNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.export(operator, { number: 7 })
   * ```
   */
  readonly export: ReturnType<typeof makeExportPerson>
  /**
   * Erases a person, by the number of the records of changes (L1). Requires the role `user-manager`.
   * Fails with ErasureUnfinished, InsufficientRole, InsufficientScope, LastOperator, NoSession, PresenceRequired, UserNotFound,
   * Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.eraseByNumber(operator, { number: 7 })
   * ```
   */
  readonly eraseByNumber: ReturnType<typeof makeErasePerson>
  /**
   * Lists the posts that a person created, by the number of the records of changes (L3). Requires the role `user-manager`.
   * Fails with InsufficientRole, InsufficientScope, UserNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.users.listPosts(operator, { number: 7, lim: 20 })
   * ```
   */
  readonly listPosts: ReturnType<typeof makeListPostsOfPerson>
}

/** Binds the use cases of users to ports. */
export const makeUsersArea = (ports: Ports): UsersArea => ({
  getPreference: makeGetPreference(ports),
  setPreference: makeSetPreference(ports),
  import: makeImportUsers(ports),
  erase: makeEraseUser(ports),
  find: makeFindPeople(ports),
  show: makeShowPerson(ports),
  export: makeExportPerson(ports),
  eraseByNumber: makeErasePerson(ports),
  listPosts: makeListPostsOfPerson(ports),
})
