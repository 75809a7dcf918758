import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import { USER_NOT_FOUND, type User, type UserNotFound } from '../../people/user.ts'
import type { PeoplePorts } from '../../ports/of-people.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { forActingUser, type OneUser } from './one-user.ts'

/** The preference of a known user (F2). */
export const makeGetPreference =
  (ports: Pick<PeoplePorts, 'users'>) =>
  (
    caller: Caller,
    { email }: OneUser,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | UserNotFound | Unavailable, User> =>
    forActingUser(caller, email, (subject) =>
      pipe(
        ports.users.find(subject),
        TE.flatMap(TE.fromOption((): UserNotFound | Unavailable => USER_NOT_FOUND)),
      ),
    )
