import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { networkOf } from '../../access/network.ts'
import { type ActiveSession, newSession } from '../../access/session.ts'
import type { Manager } from '../../people/manager.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Instant } from '../../values/instant.ts'
import type { AttemptKeys } from '../access/attempts.ts'
import type { Policy } from '../policy.ts'

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

/** Opens a session of a manager who has proved to be that person, now unless `confirmedAt` is given (M4). */
export const openSession = (
  ports: Pick<Ports, 'clock' | 'secrets' | 'sessions'>,
  policy: Pick<Policy, 'sessionIdle' | 'sessionLife'>,
  manager: Manager,
  { browser }: Pick<SignInSource, 'browser'>,
  confirmedAt: Instant = ports.clock.now(),
): TE.TaskEither<Unavailable, OpenedSession> => {
  const secret = ports.secrets.mint()
  const given = { digest: ports.secrets.digest(secret), email: manager.email, browser, confirmedAt }
  const session = newSession(given, ports.clock.now(), policy)
  return pipe(
    ports.sessions.open(session),
    TE.map((number) => ({ manager, secret, session, number })),
  )
}
