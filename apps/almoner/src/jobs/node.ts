import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { later, MINUTE, type Ports, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Settings } from '../config/definitions.ts'
import { sharedSettings } from '../config/shared-by-nodes.ts'
import type { Chore } from './schedule.ts'

/** Seconds from one time that a node tells of itself to the next. */
const EVERY = 60

/** A node that has not told for so long runs no more; in milliseconds. */
export const SILENT = 3 * MINUTE

/** One that has not told for so long is forgotten; in milliseconds. */
const FORGOTTEN = 10 * MINUTE

/** A node of a service, to its database. */
export interface NodeSign {
  /** Tells that it runs, and with which settings. */
  readonly chore: Chore
  /** The same, at once. */
  readonly tell: TE.TaskEither<Unavailable, void>
  /** Tells that it does not any more. */
  readonly leave: () => Promise<void>
}

/** What a server tells of itself, so that the doctor can compare it with others: its machine, its port, and settings without secrets. */
export const nodeSign = (
  { nodes, clock }: Pick<Ports, 'nodes' | 'clock'>,
  settings: Settings,
  port: number,
): NodeSign => {
  const node = { id: randomUUID(), name: `${hostname()}:${port}`, settings: sharedSettings(settings) }
  const tell: NodeSign['tell'] = () => {
    const toldAt = clock.now()
    return nodes.tell({ ...node, toldAt }, later(toldAt, -FORGOTTEN))()
  }
  return {
    chore: {
      name: 'tell of this node',
      rule: EVERY,
      atStart: true,
      work: () =>
        pipe(
          tell,
          TE.map(() => 0),
        ),
    },
    tell,
    leave: async () => {
      await nodes.leave(node.id)()
    },
  }
}
