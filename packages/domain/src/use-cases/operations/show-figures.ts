import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { Figures } from '../../operations/figures.ts'
import { type Host, SILENT_HOST } from '../../operations/host.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { SECOND } from '../../values/time.ts'
import { liveNodes } from './live-nodes.ts'
import { sharedTask } from './shared-task.ts'

/** Parameters of GET /figures. */
export const ShowFigures = parameters({ name: 'ShowFigures', required: {}, optional: {} })
export type ShowFigures = typeof ShowFigures._A

/** Milliseconds for which figures answer further callers. */
const LIFE = SECOND

type Needs = Pick<OperationsPorts, 'clock' | 'deliveries' | 'providers' | 'nodes'>

/** Returns what waits to be sent, the states of the providers, and what the host measures, for operators (G5, I3). */
export const makeShowFigures = (ports: Needs, host: Host = SILENT_HOST) => {
  const read: TE.TaskEither<Unavailable, Figures> = async () => {
    const at = ports.clock.now()
    const asked = pipe(
      TE.Do,
      TE.bind('queue', () => ports.deliveries.queue(at)),
      TE.bind('providers', () => ports.providers.states(at)),
      TE.bind('running', () => liveNodes(ports)),
      TE.bind('host', () => TE.fromTask(host.measure)),
      TE.map(({ running, ...rest }) => ({ at, ...rest, nodes: running.length, adapters: host.adapters })),
    )
    return asked()
  }
  const figures = sharedTask(ports.clock, LIFE, read)
  return (
    caller: Caller,
    _parameters: ShowFigures,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, Figures> =>
    permitted('operate', caller)(() => figures)
}
