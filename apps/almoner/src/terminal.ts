import type { Environment } from './settings/read.ts'

/** What a command line has of the world. */
export interface Terminal {
  readonly environment: Environment
  /** Results. */
  readonly out: (text: string) => void
  /** Faults, as lines. Logs go the same way. */
  readonly err: (text: string) => void
}
