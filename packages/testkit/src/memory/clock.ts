import type { Clock } from '@almoner/domain/ports'
import { type Instant, instant } from '@almoner/domain/values'

/** A clock that is stopped until it is set or advanced. What it measures, `elapsed`, grows only where it is advanced. */
export interface SetClock extends Clock {
  /** Sets the clock to a moment, which may be earlier. */
  set(to: Instant): void
  /** Advances the clock by this number of milliseconds. */
  advance(by: number): void
}

/**
 * Creates a stopped clock.
 * @param start milliseconds since 1970; 2026-01-01T00:00:00Z unless given
 */
export const setClock = (start = Date.UTC(2026, 0, 1)): SetClock => {
  let now = instant(start)
  let passed = 0
  return {
    now: () => now,
    elapsed: () => passed,
    set: (to) => {
      now = to
    },
    advance: (by) => {
      now = instant(now + by)
      passed += by
    },
  }
}
