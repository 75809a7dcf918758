import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../ports/clock.ts'
import { addMillis, type Instant, MINUTE } from '../values/instant.ts'
import { type Caller, type InsufficientScope, requireScope } from './caller.ts'
import { type Operation, REQUIREMENTS, type Requirement } from './requirements.ts'
import type { Role } from './scopes.ts'

/** The caller's client, or the duty of the manager, lacks a role. */
export interface InsufficientRole {
  readonly _tag: 'InsufficientRole'
  readonly role: Role
}

/** The person behind a session has not proved presence for five minutes. Signing in again is a proof (M4). */
export interface PresenceRequired {
  readonly _tag: 'PresenceRequired'
}

/** How long a proof of presence counts, in milliseconds (M4). */
const RECENT = 5 * MINUTE

/**
 * Returns the caller if the person behind its session has just proved presence: within five minutes, of which the last moment is too late
 * (M4). A client of the API is no person, and needs no proof.
 */
export const requirePresence =
  (now: Instant) =>
  (caller: Caller): E.Either<PresenceRequired, Caller> =>
    caller.confirmedAt === undefined || now < addMillis(caller.confirmedAt, RECENT)
      ? E.right(caller)
      : E.left({ _tag: 'PresenceRequired' })

/**
 * Returns the caller if it meets a requirement: scope, then role, then presence, because a proof of presence gives no role. The size of a push
 * is checked by the use case, which counts its devices.
 */
export const checkAccess =
  ({ scope, role, presence }: Requirement, now: () => Instant) =>
  (caller: Caller): E.Either<InsufficientScope | InsufficientRole | PresenceRequired, Caller> => {
    const scoped = requireScope(scope)(caller)
    if (E.isLeft(scoped)) return scoped
    if (role !== undefined && !caller.roles.has(role)) return E.left({ _tag: 'InsufficientRole', role })
    return presence === 'always' ? requirePresence(now())(caller) : scoped
  }

type RoleFailure<R> = R extends { readonly role: Role } ? InsufficientRole : never
type PresenceFailure<R> = R extends { readonly presence: 'always' } ? PresenceRequired : never

/** How {@link permitted} refuses the callers of an operation. */
export type Refusal<O extends Operation> =
  | InsufficientScope
  | RoleFailure<(typeof REQUIREMENTS)[O]>
  | PresenceFailure<(typeof REQUIREMENTS)[O]>

/** The clock, for operations that need a proof of presence. */
export type ClockFor<O extends Operation> = [PresenceFailure<(typeof REQUIREMENTS)[O]>] extends [never]
  ? []
  : [clock: Clock]

/**
 * Does work if the caller meets the requirement of an operation: scope, role and presence (A2, M10).
 * @param clock only for operations that need a proof of presence
 */
export const permitted =
  <O extends Operation>(operation: O, caller: Caller, ...clock: ClockFor<O>) =>
  <L, A>(work: () => TE.TaskEither<L, A>): TE.TaskEither<L | Refusal<O>, A> =>
  () => {
    // The type of the clock is that of the table's row: where the row names no presence, the time is not read.
    const [time] = clock as ReadonlyArray<Clock>
    const checked = checkAccess(REQUIREMENTS[operation], () => (time as Clock).now())(caller)
    return E.isLeft(checked) ? Promise.resolve(checked as E.Left<Refusal<O>>) : work()()
  }
