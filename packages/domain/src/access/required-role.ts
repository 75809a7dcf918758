import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, withScope } from './caller.ts'
import type { Operation } from './requirements.ts'
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

/** Does the work if the caller holds the scope that the operation asks for, and has the role. */
export const withRole = <L, A>(
  operation: Operation,
  role: Role,
  caller: Caller,
  work: () => TE.TaskEither<L, A>,
): TE.TaskEither<L | InsufficientScope | InsufficientRole, A> =>
  withScope(operation, caller, (): TE.TaskEither<L | InsufficientRole, A> => {
    const allowed = requireRole(role)(caller)
    return E.isLeft(allowed) ? async () => allowed : work()
  })
