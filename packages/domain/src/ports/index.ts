import type { OperationsPorts } from '../operations/ports.ts'

/** All that the domain asks of the world. A use case takes the few it needs. */
export type Ports = OperationsPorts
