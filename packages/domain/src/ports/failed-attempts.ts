import type { Source } from '../access/guessing.ts'
import type { Instant } from '../values/instant.ts'

/** Remembers wrong client credentials for a minute (A8), in bounded memory. Kept in the process: it never fails. */
export interface FailedAttempts {
  /** The failures of the last minute that are remembered for a key, oldest first. */
  of(source: Source, key: string, now: Instant): ReadonlyArray<Instant>
  /** Notes one more failure. */
  add(source: Source, key: string, now: Instant): void
}
