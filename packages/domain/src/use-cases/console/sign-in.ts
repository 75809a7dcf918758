import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenDigest } from '../../access/caller.ts'
import { noteFailure, type TooManyAttempts, unlessLocked } from '../../access/guessing.ts'
import type { Manager } from '../../people/manager.ts'
import type { ManagerPolicy, ManagerPorts } from '../../ports/of-managers.ts'
import type { Unavailable } from '../../values/ports.ts'
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

const keysOf = (attempt: Pick<SignInAttempt, 'address'>) => attemptKeys('sign-in link', attempt)

type Failure = InvalidLink | TooManyAttempts | Unavailable

const INVALID_LINK: InvalidLink = { _tag: 'InvalidLink' }

/** Finds the manager whom a link is for, and does work with it, unless too many wrong ones came from there (A8). */
const withLink = <A>(
  ports: Pick<ManagerPorts, Exclude<Needs, 'sessions'>>,
  attempt: Pick<SignInAttempt, 'secret' | 'address'>,
  work: (manager: Manager, link: TokenDigest) => TE.TaskEither<InvalidLink | Unavailable, A>,
): TE.TaskEither<Failure, A> => {
  const link = ports.secrets.digest(attempt.secret)
  const note = (failure: Failure): Failure => {
    if (failure._tag === 'InvalidLink') noteFailure(ports, keysOf(attempt))
    return failure
  }
  const manager = pipe(
    ports.oneTimeSecrets.find(link, 'sign-in', ports.clock.now()),
    TE.map(O.flatMap(({ email }) => email)),
    TE.flatMap((email) => (O.isSome(email) ? ports.managers.find(email.value) : TE.right(O.none))),
    TE.map(O.filter(({ disabled }) => !disabled)),
  )
  return pipe(
    TE.fromEither<Failure, void>(unlessLocked(ports, keysOf(attempt))),
    TE.flatMap(() => manager),
    TE.flatMap(TE.fromOption((): Failure => INVALID_LINK)),
    TE.flatMap((found): TE.TaskEither<Failure, A> => work(found, link)),
    TE.mapError(note),
  )
}

/** Returns the manager whom a link would sign in, and leaves the link (M2). Limits wrong ones as signing in does (A8). */
export const makeShowLink =
  (ports: Pick<ManagerPorts, Exclude<Needs, 'sessions'>>) =>
  (
    attempt: Pick<SignInAttempt, 'secret' | 'address'>,
  ): TE.TaskEither<InvalidLink | TooManyAttempts | Unavailable, Manager> =>
    withLink(ports, attempt, (manager) => TE.right(manager))

/** Signs a manager in by a one-time link, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). */
export const makeSignIn =
  (ports: Pick<ManagerPorts, Needs>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
  (attempt: SignInAttempt): TE.TaskEither<InvalidLink | TooManyAttempts | Unavailable, OpenedSession> =>
    withLink(ports, attempt, (manager, link) => {
      const credential = { way: 'link', link } as const
      const checked = { email: manager.email, manager: O.some(manager), credential }
      return openSession(ports, policy, checked, attempt, INVALID_LINK)
    })
