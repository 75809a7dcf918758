import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenDigest } from '../access/caller.ts'
import {
  type AttemptKeys,
  networkOf,
  noteFailure,
  type TooManyAttempts,
  unlessLocked,
} from '../access/guessing.ts'
import { lockedUntil } from '../access/model.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { Manager } from './model.ts'
import type { ManagerPolicy, ManagerPorts, ManagerSecret } from './ports.ts'
import {
  type ActiveSession,
  type CheckedCredential,
  NO_ACTIVE_SESSION,
  type NoSession,
  newSession,
  usedSession,
} from './session.ts'

/** Where an attempt to sign in comes from. */
export interface SignInSource {
  readonly address: string
  /** The browser's own name for itself. */
  readonly browser: string
}

/** A session as it has just been opened. The secret is shown this once. */
export interface OpenedSession extends ActiveSession {
  readonly secret: string
}

/** How attempts by a way to sign in are counted: wrong ones of one network (A8). */
export const attemptKeys = (way: string, { address }: Pick<SignInSource, 'address'>): AttemptKeys => {
  const network = networkOf(address)
  return { pair: `${network}\n${way}`, address: network }
}

/** What a sign-in has checked. */
export interface CheckedSignIn {
  readonly email: Email
  /** None for an unknown person, who is refused after the same work. */
  readonly manager: O.Option<Manager>
  readonly credential: CheckedCredential
  /** When the person proved presence; now if absent (M4). */
  readonly confirmedAt?: Instant
}

/** Opens a session if what was checked is still so (M3, M4). Fails with `refused` otherwise. */
export const openSession = <Refused>(
  ports: Pick<ManagerPorts, 'clock' | 'secrets' | 'sessions'>,
  policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>,
  { email, manager, credential, confirmedAt = ports.clock.now() }: CheckedSignIn,
  { browser }: Pick<SignInSource, 'browser'>,
  refused: Refused,
): TE.TaskEither<Refused | Unavailable, OpenedSession> => {
  const secret = ports.secrets.mint()
  const given = { digest: ports.secrets.digest(secret), email, browser, confirmedAt }
  const session = newSession(given, ports.clock.now(), policy)
  const duty = O.isSome(manager) ? manager.value.duty : 'editor'
  return pipe(
    ports.sessions.open(session, { duty, credential }),
    TE.flatMap(
      (number): TE.TaskEither<Refused | Unavailable, OpenedSession> =>
        O.isSome(number) && O.isSome(manager)
          ? TE.right({ manager: manager.value, secret, session, number: number.value })
          : TE.left(refused),
    ),
  )
}

/** Counts a challenge, which is stored, and rejects more than a hundred a minute of one network (A8). */
export const limitChallenges = (
  { clock, failedAttempts }: Pick<ManagerPorts, 'clock' | 'failedAttempts'>,
  source: Pick<SignInSource, 'address'>,
): E.Either<TooManyAttempts, void> => {
  const now = clock.now()
  const key = attemptKeys('challenge', source).pair
  const until = lockedUntil('address', failedAttempts.of('address', key, now), now)
  if (O.isSome(until)) return E.left({ _tag: 'TooManyAttempts', until: until.value })
  failedAttempts.add('address', key, now)
  return E.right(undefined)
}

/** Stores a secret of the person of a session. A person who has been disabled or erased meanwhile has no session any more (A9). */
export const putOwnSecret = (
  { oneTimeSecrets }: Pick<ManagerPorts, 'oneTimeSecrets'>,
  secret: ManagerSecret,
): TE.TaskEither<NoSession | Unavailable, void> =>
  pipe(
    oneTimeSecrets.put(secret),
    TE.mapError((failure) =>
      failure._tag === 'ManagerNotFound' || failure._tag === 'ManagerDisabled' ? NO_ACTIVE_SESSION : failure,
    ),
  )

/** The secret of a link, and where the attempt comes from. */
export interface SignInAttempt extends SignInSource {
  readonly secret: string
}

/** The link is unknown, used or expired, or its manager is disabled: one answer for all (M3). */
export interface InvalidLink {
  readonly _tag: 'InvalidLink'
}

type SignInNeeds = 'clock' | 'failedAttempts' | 'managers' | 'oneTimeSecrets' | 'secrets' | 'sessions'

const keysOf = (attempt: Pick<SignInAttempt, 'address'>) => attemptKeys('sign-in link', attempt)

type Failure = InvalidLink | TooManyAttempts | Unavailable

const INVALID_LINK: InvalidLink = { _tag: 'InvalidLink' }

/** Finds the manager whom a link is for, and does work with it, unless too many wrong ones came from there (A8). */
const withLink = <A>(
  ports: Pick<ManagerPorts, Exclude<SignInNeeds, 'sessions'>>,
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
  (ports: Pick<ManagerPorts, Exclude<SignInNeeds, 'sessions'>>) =>
  (
    attempt: Pick<SignInAttempt, 'secret' | 'address'>,
  ): TE.TaskEither<InvalidLink | TooManyAttempts | Unavailable, Manager> =>
    withLink(ports, attempt, (manager) => TE.right(manager))

/** Signs a manager in by a one-time link, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). */
export const makeSignIn =
  (ports: Pick<ManagerPorts, SignInNeeds>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
  (attempt: SignInAttempt): TE.TaskEither<InvalidLink | TooManyAttempts | Unavailable, OpenedSession> =>
    withLink(ports, attempt, (manager, link) => {
      const credential = { way: 'link', link } as const
      const checked = { email: manager.email, manager: O.some(manager), credential }
      return openSession(ports, policy, checked, attempt, INVALID_LINK)
    })

type SessionsNeeds = 'clock' | 'secrets' | 'sessions'

/**
 * Returns the session behind a secret, and puts its idle end off (M4), unless the database only reads (I10).
 *
 * @param isAttended false for a request that no act of the person caused: it does not put the end off
 */
export const makeFindSession =
  (ports: Pick<ManagerPorts, SessionsNeeds>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
  (secret: string, isAttended = true): TE.TaskEither<NoSession | Unavailable, ActiveSession> =>
    pipe(
      ports.sessions.find(ports.secrets.digest(secret), ports.clock.now()),
      TE.flatMap(TE.fromOption((): NoSession | Unavailable => NO_ACTIVE_SESSION)),
      TE.flatMap((active): TE.TaskEither<NoSession | Unavailable, ActiveSession> => {
        const used = isAttended ? usedSession(active.session, ports.clock.now(), policy) : O.none
        if (O.isNone(used)) return TE.right(active)
        return pipe(
          ports.sessions.touch(used.value),
          TE.map(() => ({ ...active, session: used.value })),
          TE.orElse(() => TE.right(active)),
        )
      }),
    )

/** Ends the session behind a secret everywhere (M4). An unknown one changes nothing. */
export const makeSignOut =
  (ports: Pick<ManagerPorts, Exclude<SessionsNeeds, 'clock'>>) =>
  (secret: string): TE.TaskEither<Unavailable, void> =>
    pipe(ports.sessions.end(ports.secrets.digest(secret)), TE.asUnit)
