import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { later, MINUTE, type Ports, type Unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Settings } from '../config/definitions.ts'
import { sharedSettings } from '../config/shared-by-nodes.ts'
import type { Job } from './schedule.ts'

/** Seconds between two heartbeats of a node. */
const EVERY = 60

/** Milliseconds after the last heartbeat for which a node counts as running. */
export const LIVE = 3 * MINUTE

/** Milliseconds after the last heartbeat after which a node is deleted. */
const FORGOTTEN = 10 * MINUTE

/** The heartbeat of a node of the service. */
export interface Heartbeat {
  /** Writes it regularly. */
  readonly job: Job
  /** Writes it at once. */
  readonly beat: TE.TaskEither<Unavailable, void>
  /** Deletes the node. */
  readonly deregister: () => Promise<void>
}

/** Makes the heartbeat of a server: its machine, its port, and settings without secrets, so that the doctor can compare it with others. */
export const makeHeartbeat = (
  { nodes, clock }: Pick<Ports, 'nodes' | 'clock'>,
  settings: Settings,
  port: number,
): Heartbeat => {
  const node = { id: randomUUID(), name: `${hostname()}:${port}`, settings: sharedSettings(settings) }
  const beat: Heartbeat['beat'] = () => {
    const toldAt = clock.now()
    return nodes.tell({ ...node, toldAt }, later(toldAt, -FORGOTTEN))()
  }
  return {
    job: { name: 'tell of this node', rule: EVERY, atStart: true, work: () => TE.map(() => 0)(beat) },
    beat,
    deregister: async () => {
      await nodes.leave(node.id)()
    },
  }
}
