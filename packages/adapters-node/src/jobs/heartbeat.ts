import { randomUUID } from 'node:crypto'
import type { Ports, Unavailable } from '@almoner/domain'
import type { Node } from '@almoner/domain/ports'
import { addMillis, MINUTE } from '@almoner/domain/values'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Job } from './schedule.ts'

/** Seconds between two heartbeats of a node. */
const EVERY = 60

/** Milliseconds after the last heartbeat after which a node is deleted. */
const FORGOTTEN = 10 * MINUTE

/**
 * Makes the heartbeat of a node: its name, and settings without secrets that all nodes must share, as they are at each beat. The job writes it regularly, `beat` at
 * once; `deregister` deletes the node.
 */
export const makeHeartbeat = (
  { nodes, clock }: Pick<Ports, 'nodes' | 'clock'>,
  node: Pick<Node, 'name' | 'settings'>,
) => {
  const id = randomUUID()
  const beat: TE.TaskEither<Unavailable, void> = () => {
    const lastSeenAt = clock.now()
    return nodes.beat(
      { id, name: node.name, settings: node.settings, lastSeenAt },
      addMillis(lastSeenAt, -FORGOTTEN),
    )()
  }
  const job: Job = { name: 'heartbeat', rule: EVERY, atStart: true, work: () => TE.map(() => 0)(beat) }
  return {
    job,
    beat,
    deregister: nodes.deregister(id),
  }
}

/** The heartbeat of a node. */
export type Heartbeat = ReturnType<typeof makeHeartbeat>
