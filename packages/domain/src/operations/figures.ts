import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../access/caller.ts'
import { parameters } from '../values/parameters.ts'
import type { Clock, Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'
import { type Figures, type Host, SILENT_HOST } from './model.ts'
import type { Node, OperationsPorts } from './ports.ts'

interface Run<L, A> {
  readonly at: Instant
  readonly result: Promise<E.Either<L, A>>
  isRunning: boolean
}

/**
 * Makes a costly task that runs once at a time, for all callers meanwhile. Its result also answers calls within `life` milliseconds of its start,
 * unless it is a failure.
 */
export const sharedTask = <L, A>(
  clock: Clock,
  life: number,
  task: TE.TaskEither<L, A>,
): TE.TaskEither<L, A> => {
  let latest: Run<L, A> | undefined
  const isFresh = ({ at, isRunning }: Run<L, A>, now: Instant): boolean =>
    isRunning || (now >= at && now < at + life)
  return async () => {
    const now = clock.now()
    if (latest !== undefined && isFresh(latest, now)) return latest.result
    const run: Run<L, A> = { at: now, result: task(), isRunning: true }
    latest = run
    try {
      const result = await run.result
      if (E.isRight(result)) return result
      latest = undefined
      return result
    } catch (cause) {
      latest = undefined
      throw cause
    } finally {
      run.isRunning = false
    }
  }
}

/** Milliseconds after the last heartbeat for which a node counts as running. */
const LIVE = 3 * MINUTE

/**
 * Returns the nodes whose last heartbeat is not older than three minutes (G11). One from the future was written by a clock that was ahead; it does
 * not say that the node runs (I9).
 */
export const liveNodes = ({
  nodes,
  clock,
}: Pick<OperationsPorts, 'nodes' | 'clock'>): TE.TaskEither<Unavailable, ReadonlyArray<Node>> =>
  pipe(
    TE.fromIO(clock.now),
    TE.flatMap((now) =>
      pipe(
        nodes.since(addMillis(now, -LIVE)),
        TE.map((found) => found.filter(({ lastSeenAt }) => !isFarAhead(lastSeenAt, now))),
      ),
    ),
  )

/** Parameters of GET /figures. */
export const ShowFigures = parameters({ name: 'ShowFigures', required: {}, optional: {} })
export type ShowFigures = typeof ShowFigures._A

/** Milliseconds for which figures answer further callers. */
const LIFE = SECOND

/** Returns what waits to be sent, the states of the providers, and what the host measures, for operators (G5, I3). */
export const makeShowFigures = (
  ports: Pick<OperationsPorts, 'clock' | 'deliveries' | 'providers' | 'nodes'>,
  host: Host = SILENT_HOST,
) => {
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
