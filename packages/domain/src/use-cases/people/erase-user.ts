import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { UserNotFound } from '../../people/user.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import { type OneUser, withActingUser } from './one-user.ts'

type EraseFailure =
  | InsufficientScope
  | InsufficientRole
  | PresenceRequired
  | NoActingUser
  | ValidationFailed
  | UserNotFound
  | Unavailable

/** Erases everything that is stored about a person. Requires the role `user-manager` (L1). */
export const makeEraseUser =
  (ports: Pick<Ports, 'personalData' | 'clock'>) =>
  (caller: Caller, { email }: OneUser): TE.TaskEither<EraseFailure, void> =>
    permitted(
      'eraseUser',
      caller,
      ports.clock,
    )(() =>
      withActingUser(caller, email, (subject) =>
        ports.personalData.erase(subject, ports.clock.now(), { actor: caller.actor, action: 'erase-user' }),
      ),
    )
