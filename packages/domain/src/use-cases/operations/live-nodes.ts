import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Node } from '../../ports/nodes.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import type { Unavailable } from '../../values/ports.ts'
import { addMillis, isFarAhead, MINUTE } from '../../values/time.ts'

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
