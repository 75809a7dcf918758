import type { PersonalDataPorts } from '../personal-data/ports.ts'
import type { Nodes } from './nodes.ts'
import type { Statistics } from './statistics.ts'

/** What operations and the areas before it ask of the world. */
export interface OperationsPorts extends PersonalDataPorts {
  readonly nodes: Nodes
  readonly statistics: Statistics
}
