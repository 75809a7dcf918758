import type * as TE from 'fp-ts/lib/TaskEither.js'
import { keptSince } from '../../people/dead-device.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Forgets dead devices whose time to be restored is over, as many as the store takes at once. Gives how many. */
export const makePurgeDeadDevices =
  (ports: Pick<Ports, 'deadDevices' | 'clock'>) => (): TE.TaskEither<Unavailable, number> =>
    ports.deadDevices.purge(keptSince(ports.clock.now()))
