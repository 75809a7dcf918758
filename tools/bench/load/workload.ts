import type { Rig } from './rig.ts'
import type { Server } from './servers.ts'
import type { Ask } from './volley.ts'

/** A server and what is asked of it. */
export interface Side {
  readonly server: Server
  readonly asks: ReadonlyArray<Ask>
  /** Writes a second that go on meanwhile, to the same server. */
  readonly writes?: number
}

/** The service and its counterpart. */
export interface Sides {
  readonly ours: Side
  readonly beside: Side
}

/** Something that is measured beside its counterpart. */
export interface Workload {
  /** What `--only` calls it. */
  readonly name: string
  readonly title: string
  /** The counterpart, as the table names it. */
  readonly beside: string
  /** What the ratio should be at least. */
  readonly least?: number
  /** 32 unless given. */
  readonly connections?: number
  /** 200 unless given. */
  readonly status?: number
  /** Whether its latencies are measured too, at 80 % of its top rate. */
  readonly paced?: boolean
  readonly sides: (rig: Rig) => Promise<Sides>
}

/** Connections that are kept, unless a workload says else. */
export const CONNECTIONS = 32
