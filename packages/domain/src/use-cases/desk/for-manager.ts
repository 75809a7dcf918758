import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { NO_ACTING_USER, type NoActingUser } from '../../people/model.ts'
import type { Email } from '../../values/addresses.ts'

/** Does the work for the manager who calls. Fails with NoActingUser for a caller without an address. */
export const forManager = <E, A>(
  caller: Caller,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | InsufficientScope | NoActingUser, A> =>
  permitted(
    'workOnCopies',
    caller,
  )(() =>
    pipe(
      TE.fromOption((): E | NoActingUser => NO_ACTING_USER)(caller.email),
      TE.flatMap((email): TE.TaskEither<E | NoActingUser, A> => work(email)),
    ),
  )
