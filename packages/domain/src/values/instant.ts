import type { Branded } from './brand.ts'

/** A moment, in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Branded<number, 'Instant'>

/** Returns the moment this number of milliseconds after the beginning of 1970, UTC. Checks nothing. */
export const instant = (epochMilliseconds: number): Instant => epochMilliseconds as Instant

/** Milliseconds of a second. */
export const SECOND = 1000

/** Milliseconds of a minute. */
export const MINUTE = 60 * SECOND

/** The moment `milliseconds` later. */
export const addMillis = (from: Instant, milliseconds: number): Instant => instant(from + milliseconds)

/** Returns whether a moment was noted by a clock that was ahead: it lies further in the future than the clocks of machines may differ (I9). */
export const isFarAhead = (moment: Instant, now: Instant): boolean => moment - now > MINUTE

/** The end of something, and the milliseconds for which it was to live; unknown for what an earlier version stored. */
export interface Lifetime {
  readonly expiresAt: Instant
  readonly life?: number | undefined
}

/** Returns whether something counts: its end has not come, and lies no further away than the time that it was given and a minute (I9). */
export const isInLife = ({ expiresAt, life }: Lifetime, now: Instant): boolean =>
  now < expiresAt && (life === undefined || !isFarAhead(addMillis(expiresAt, -life), now))

/** RFC 3339 in UTC, with milliseconds (C2). */
export const toRfc3339 = (moment: Instant): string => new Date(moment).toISOString()
