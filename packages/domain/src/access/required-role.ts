import * as E from 'fp-ts/lib/Either.js'
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
