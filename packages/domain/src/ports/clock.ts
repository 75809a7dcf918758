import type { Instant } from '../values/instant.ts'

/** What time it is. Rules ask nothing else for it. */
export interface Clock {
  /** The present moment. Never fails. */
  now(): Instant
}
