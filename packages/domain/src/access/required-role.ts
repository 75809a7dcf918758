import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller } from './caller.ts'
import type { Role } from './scopes.ts'

/** The caller's client lacks a role. */
export interface InsufficientRole {
  readonly _tag: 'InsufficientRole'
  readonly role: Role
}

/** Returns the caller if its client has the role. */
export const requireRole =
  (role: Role) =>
  (caller: Caller): E.Either<InsufficientRole, Caller> =>
    caller.roles.has(role) ? E.right(caller) : E.left({ _tag: 'InsufficientRole', role })

/** Does the work if the caller's client has the role. An operator has both roles (M2). */
export const withRole = <L, A>(
  role: Role,
  caller: Caller,
  work: () => TE.TaskEither<L, A>,
): TE.TaskEither<L | InsufficientRole, A> => {
  const permitted = requireRole(role)(caller)
  return E.isLeft(permitted) ? TE.left(permitted.left) : () => work()()
}
