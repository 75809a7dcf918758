import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Act, type Action, boundToOwnUser } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { actingUser, type NoActingUser } from '../../people/acting-user.ts'
import { type Email, PathSegment } from '../../values/addresses.ts'
import {
  type FieldError,
  parameters,
  type RawParameters,
  type ValidationFailed,
} from '../../values/parameters.ts'

/** Parameters of GET /user/<email>/notification/token and GET /user/<email>/notification/preference. */
export const OneUser = parameters({ name: 'OneUser', required: { email: PathSegment }, optional: {} })
export type OneUser = typeof OneUser._A

/** Does the work for the user that a request is about (F3). Checks no scope. */
export const withActingUser = <E, A>(
  caller: Caller,
  inPath: string,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | ValidationFailed | NoActingUser, A> =>
  pipe(
    TE.fromEither<E | ValidationFailed | NoActingUser, Email>(actingUser(caller, inPath)),
    TE.flatMap((email): TE.TaskEither<E | ValidationFailed | NoActingUser, A> => work(email)),
  )

/** Does the work for the user that a request is about, if the caller may act for users (F3). */
export const forActingUser = <E, A>(
  caller: Caller,
  inPath: string,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | InsufficientScope | ValidationFailed | NoActingUser, A> =>
  permitted('actForUser', caller)(() => withActingUser(caller, inPath, work))

/**
 * Returns the act of a change for the user that a request is about. Unless the path named the user, the change is made only while the caller is
 * bound to that user (L1, F3).
 */
export const actingFor = (caller: Caller, action: Action): Act => ({
  actor: caller.actor,
  action,
  ...(caller.roles.has('user-manager') ? {} : boundToOwnUser(caller)),
})

/** Returns further errors of a rejected request about a user: a bad path, or a missing user (F2, F3). */
export const furtherUserErrors = (
  caller: Caller,
  raw: RawParameters,
): TE.TaskEither<InsufficientScope | NoActingUser, ReadonlyArray<FieldError>> =>
  permitted(
    'actForUser',
    caller,
  )(() => {
    const subject = actingUser(caller, String(raw['email']))
    if (E.isRight(subject)) return TE.right([])
    return subject.left._tag === 'ValidationFailed' ? TE.right(subject.left.errors) : TE.left(subject.left)
  })
