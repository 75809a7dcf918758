import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Caller } from '../access/caller.ts'
import { Email } from '../values/addresses.ts'
import { decode, fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'

/** The access token has no user, and so no devices (F3). Also: it had one, who was erased meanwhile (L1). */
export interface NoActingUser {
  readonly _tag: 'NoActingUser'
}

/** The one {@link NoActingUser}. */
export const NO_ACTING_USER: NoActingUser = { _tag: 'NoActingUser' }

/**
 * Whose devices and preference a request is about: the user of the access token, and for a `user-manager` the one that the path
 * names. A path that is not used is not looked at (F2, F3).
 */
export const actingUser = (
  caller: Caller,
  inPath: string,
): E.Either<NoActingUser | ValidationFailed, Email> =>
  caller.roles.has('user-manager')
    ? pipe(
        decode(Email)(inPath),
        E.mapLeft(({ errors: [{ message }] }) => validationFailed([fieldError('email', message)])),
      )
    : pipe(
        caller.email,
        E.fromOption(() => NO_ACTING_USER),
      )
