import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { withScope } from '../../access/caller.ts'
import { type InsufficientRole, requireRole } from '../../access/required-role.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { UserNotFound } from '../../people/user.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { ValidationFailed } from '../../values/validation.ts'
import { forActingUser, type OneUser } from './one-user.ts'

type EraseFailure =
  | InsufficientScope
  | InsufficientRole
  | NoActingUser
  | ValidationFailed
  | UserNotFound
  | Unavailable

/** Erases everything that is stored about a person. Requires the role `user-manager` (L1). */
export const makeEraseUser =
  (ports: Pick<Ports, 'personalData' | 'clock'>) =>
  (caller: Caller, { email }: OneUser): TE.TaskEither<EraseFailure, void> =>
    withScope('actForUser', caller, (): TE.TaskEither<EraseFailure, void> => {
      const allowed = requireRole('user-manager')(caller)
      if (E.isLeft(allowed)) return async () => allowed
      return forActingUser(allowed.right, email, (subject) =>
        ports.personalData.erase(subject, ports.clock.now(), { actor: caller.actor, action: 'erase-user' }),
      )
    })
