import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Forgets expired access tokens. Gives how many. */
export const makePurgeTokens =
  (ports: Pick<Ports, 'accessTokens' | 'clock'>) => (): TE.TaskEither<Unavailable, number> =>
    ports.accessTokens.purge(ports.clock.now())
