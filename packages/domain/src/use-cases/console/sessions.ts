import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ActiveSession, NO_ACTIVE_SESSION, type NoSession, usedSession } from '../../access/session.ts'
import type { ManagerPolicy, ManagerPorts } from '../../ports/of-managers.ts'
import type { Unavailable } from '../../values/ports.ts'

type Needs = 'clock' | 'secrets' | 'sessions'

/**
 * Returns the session behind a secret, and puts its idle end off (M4), unless the database only reads (I10).
 *
 * @param isAttended false for a request that no act of the person caused: it does not put the end off
 */
export const makeFindSession =
  (ports: Pick<ManagerPorts, Needs>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
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
  (ports: Pick<ManagerPorts, Exclude<Needs, 'clock'>>) =>
  (secret: string): TE.TaskEither<Unavailable, void> =>
    pipe(ports.sessions.end(ports.secrets.digest(secret)), TE.asUnit)
