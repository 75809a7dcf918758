import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type AttemptKeys, networkOf } from '../../access/guessing.ts'
import { type ActiveSession, newSession } from '../../access/session.ts'
import type { CheckedCredential } from '../../access/sign-in-proof.ts'
import type { Manager } from '../../people/manager.ts'
import type { ManagerPolicy, ManagerPorts } from '../../ports/of-managers.ts'
import type { Email } from '../../values/addresses.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { Instant } from '../../values/time.ts'

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
