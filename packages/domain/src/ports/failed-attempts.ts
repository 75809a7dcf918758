import type { Source } from '../access/brute-force.ts'
import type { Instant } from '../values/time.ts'

/** Remembers wrong client credentials for a minute (A8), in bounded memory. It is held in the process and never fails. */
export interface FailedAttempts {
  /**
   * The failures of the last minute that are remembered for a key, oldest first: the latest of them, no more
   * than `ALLOWED_FAILURES` has for the source. The function `remember` is that rule.
   */
  of(source: Source, key: string, now: Instant): ReadonlyArray<Instant>
  /** Records a failure. Keeps at most 20,000 keys, and drops the ones that failed longest ago first. */
  add(source: Source, key: string, now: Instant): void
}
