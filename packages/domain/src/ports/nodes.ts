import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** A running server, as it describes itself in its heartbeat. */
export interface Node {
  /** New at each start. */
  readonly id: string
  /** Where it runs, for operators. */
  readonly name: string
  readonly lastSeenAt: Instant
  /** The settings that all nodes have to have in common, by name. None holds a secret. */
  readonly settings: Readonly<Record<string, string>>
}

/** The servers that run on a store. */
export interface Nodes {
  /** Stores the heartbeat of a node, and deletes nodes whose last heartbeat was before `forgotten`, or is ahead of this one (`isFarAhead`, I9). */
  beat(node: Node, forgotten: Instant): TaskEither<Unavailable, void>
  /** Returns the nodes with a heartbeat at this moment or later, by name and then id. */
  since(moment: Instant): TaskEither<Unavailable, ReadonlyArray<Node>>
  /** Forgets a node that has been stopped. An unknown one is no fault. */
  deregister(id: string): TaskEither<Unavailable, void>
}
