import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Manager } from '../../people/manager.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { noteFailure, type TooManyAttempts, unlessLocked } from '../access/attempts.ts'
import type { Policy } from '../policy.ts'
import { attemptKeys, type OpenedSession, openSession, type SignInSource } from './open-session.ts'

/** The secret of a link, and where the attempt comes from. */
export interface SignInAttempt extends SignInSource {
  readonly secret: string
}

/** The link is unknown, used or expired, or its manager is disabled: one answer for all (M3). */
export interface InvalidLink {
  readonly _tag: 'InvalidLink'
}

type Needs = 'clock' | 'failedAttempts' | 'managers' | 'oneTimeSecrets' | 'secrets' | 'sessions'

const keysOf = (attempt: SignInAttempt) => attemptKeys('sign-in link', attempt)

/** Returns the manager whom a link is for. A used link is gone. */
const managerOf = (
  ports: Pick<Ports, Needs>,
  { secret }: SignInAttempt,
): TE.TaskEither<Unavailable, O.Option<Manager>> =>
  pipe(
    ports.oneTimeSecrets.take(ports.secrets.digest(secret), 'sign-in', ports.clock.now()),
    TE.map(O.flatMap(({ email }) => email)),
    TE.flatMap((email) => (O.isSome(email) ? ports.managers.find(email.value) : TE.right(O.none))),
    TE.map(O.filter(({ disabled }) => !disabled)),
  )

/** Signs a manager in by a one-time link, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). */
export const makeSignIn =
  (ports: Pick<Ports, Needs>, policy: Pick<Policy, 'sessionIdle' | 'sessionLife'>) =>
  (attempt: SignInAttempt): TE.TaskEither<InvalidLink | TooManyAttempts | Unavailable, OpenedSession> =>
    pipe(
      TE.fromEither<InvalidLink | TooManyAttempts | Unavailable, void>(unlessLocked(ports, keysOf(attempt))),
      TE.flatMap(() => managerOf(ports, attempt)),
      TE.flatMapEither((found): E.Either<InvalidLink, Manager> => {
        if (O.isSome(found)) return E.right(found.value)
        noteFailure(ports, keysOf(attempt))
        return E.left({ _tag: 'InvalidLink' })
      }),
      TE.flatMap((manager) => openSession(ports, policy, manager, attempt)),
    )
