import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Deletes ended sessions and expired one-time secrets; returns how many (M2, M4). */
export const makePurgeSessions =
  (ports: Pick<Ports, 'clock' | 'oneTimeSecrets' | 'sessions'>) => (): TE.TaskEither<Unavailable, number> => {
    const now = ports.clock.now()
    return pipe(
      TE.Do,
      TE.bind('sessions', () => ports.sessions.purge(now)),
      TE.bind('secrets', () => ports.oneTimeSecrets.purge(now)),
      TE.map(({ sessions, secrets }) => sessions + secrets),
    )
  }
