import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../../access/caller.ts'
import type { LastOperator } from '../../managers/model.ts'
import type { NoSession } from '../../managers/session.ts'
import type { NoActingUser, UserNotFound } from '../../people/model.ts'
import { type OneUser, withActingUser } from '../../people/preferences.ts'
import type { PersonalDataPorts } from '../../ports/of-personal-data.ts'
import type { ErasureUnfinished } from '../../ports/personal-data.ts'
import type { Email } from '../../values/addresses.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

type EraseFailure =
  | InsufficientScope
  | InsufficientRole
  | PresenceRequired
  | NoActingUser
  | ValidationFailed
  | UserNotFound
  | LastOperator
  | NoSession
  | ErasureUnfinished
  | Unavailable

/** Erases a person on behalf of a caller, under the caller's name (L1). A manager needs `super-admin` besides (L4). */
export const erasedFor = (
  { personalData, clock }: Pick<PersonalDataPorts, 'personalData' | 'clock'>,
  { actor, roles, session }: Caller,
  email: Email,
) =>
  personalData.erase(
    email,
    clock.now(),
    { actor, action: 'erase-user' },
    { isOperator: roles.has('super-admin'), ...(session !== undefined && { by: session }) },
  )

/** Erases everything that is stored about a person. Requires the role `user-manager` (L1), for a manager also `super-admin` (L4). */
export const makeEraseUser =
  (ports: Pick<PersonalDataPorts, 'personalData' | 'clock'>) =>
  (caller: Caller, { email }: OneUser): TE.TaskEither<EraseFailure, void> =>
    permitted(
      'eraseUser',
      caller,
      ports.clock,
    )(() => withActingUser(caller, email, (subject) => erasedFor(ports, caller, subject)))
