import type { Instant } from '../values/instant.ts'

export interface Clock {
  /** The present moment. Never fails. */
  now(): Instant
}
