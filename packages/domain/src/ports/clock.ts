import type { Instant } from '../values/instant.ts'

/** What time it is. Rules ask nothing else for it. */
export interface Clock {
  /** The present moment. Never fails. */
  now(): Instant
  /** Milliseconds of a clock that is never set, from any beginning. A clock without it is taken for one that is never set. */
  elapsed?(): number
}

/** Returns milliseconds by which to measure how long something lasts: a step of the clock makes it neither longer nor shorter (I9). */
export const elapsed = (clock: Clock): number => clock.elapsed?.() ?? clock.now()
