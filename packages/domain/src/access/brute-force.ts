import * as O from 'fp-ts/lib/Option.js'
import { addMillis, type Instant, instant, MINUTE } from '../values/time.ts'

/** Failures within a minute after which a source must wait (A8). */
export const ALLOWED_FAILURES = { pair: 10, address: 100 } as const

/** One of {@link SOURCES}. */
export type Source = keyof typeof ALLOWED_FAILURES

/** What failures are counted by: a client id together with its address, and the address. Never the id alone. */
export const SOURCES: ReadonlyArray<Source> = ['pair', 'address']

/**
 * Whether a failure counts now: it is less than a minute old (A8). One that lies a minute or more ahead was noted before the clock was
 * set back, and does not count: it would lock its source out until the clock has caught up.
 */
export const isRecentFailure = (moment: Instant, now: Instant): boolean => Math.abs(now - moment) < MINUTE

/** The failures that still count, oldest first: those of the last minute, and no more than the limit needs. */
export const remember = (
  source: Source,
  earlier: ReadonlyArray<Instant>,
  now: Instant,
): ReadonlyArray<Instant> =>
  [...earlier.filter((moment) => isRecentFailure(moment, now)), now].slice(-ALLOWED_FAILURES[source])

/** Until when a source with these failures is kept out, if it is (A8): for a minute from now at most, even if the clock was ahead then (I9). */
export const lockedUntil = (
  source: Source,
  failures: ReadonlyArray<Instant>,
  now: Instant,
): O.Option<Instant> => {
  const decisive = failures.at(-ALLOWED_FAILURES[source])
  return decisive !== undefined && isRecentFailure(decisive, now)
    ? O.some(addMillis(instant(Math.min(decisive, now)), MINUTE))
    : O.none
}
