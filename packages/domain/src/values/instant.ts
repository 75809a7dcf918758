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

/** RFC 3339 in UTC, with milliseconds (C2). */
export const toRfc3339 = (moment: Instant): string => new Date(moment).toISOString()
