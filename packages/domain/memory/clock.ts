import { type Clock, type Instant, instant } from '../src/all.ts'

/** A clock that stands until it is set. */
export interface SetClock extends Clock {
  /** Puts it to a moment, which may be an earlier one. */
  set(to: Instant): void
  /** Moves on by some milliseconds. */
  advance(by: number): void
}

/**
 * A clock that stands.
 * @param start milliseconds since 1970; 2026-01-01T00:00:00Z unless given
 */
export const setClock = (start = Date.UTC(2026, 0, 1)): SetClock => {
  let now = instant(start)
  return {
    now: () => now,
    set: (to) => {
      now = to
    },
    advance: (by) => {
      now = instant(now + by)
    },
  }
}
