import type { AccessPolicy, AccessPorts } from '../access/ports.ts'
import type { History } from './history.ts'

/** What history and the areas before it ask of the world. */
export interface HistoryPorts extends AccessPorts {
  readonly history: History
}

/** What a deployment decides for history and the areas before it. */
export interface HistoryPolicy extends AccessPolicy {
  /** How long audit records are kept, in days; an item's latest revision stays (K3). */
  readonly historyDays: number
}
