import type * as TE from 'fp-ts/lib/TaskEither.js'
import { oldestRetained } from '../../people/dead-device.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Deletes a bounded number of dead devices that can no longer be restored. Returns their number. */
export const makePurgeDeadDevices =
  (ports: Pick<Ports, 'deadDevices' | 'clock'>) => (): TE.TaskEither<Unavailable, number> =>
    ports.deadDevices.purge(oldestRetained(ports.clock.now()))
