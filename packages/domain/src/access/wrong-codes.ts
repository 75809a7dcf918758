import { type Instant, MINUTE } from '../values/time.ts'

/** Wrong codes after a right password within an hour, after which codes are refused (M9). */
export const ALLOWED_CODES = 10

/** For how long wrong codes count, and for how long codes are refused then (M9). */
const HOUR = 60 * MINUTE

/**
 * Returns whether a wrong code still counts: for an hour. One that lies more than a minute ahead was noted before the clock was set back, and
 * would count for longer than that (M9).
 */
const counts = (moment: Instant, now: Instant): boolean => now - moment < HOUR && moment - now <= MINUTE

/** Returns the wrong codes that still count, oldest first. They are stored again at each sign-in, so that none of a clock that was ahead stays. */
export const countedCodes = (wrong: ReadonlyArray<Instant>, now: Instant): ReadonlyArray<Instant> =>
  wrong.filter((moment) => counts(moment, now))

/**
 * Returns the wrong codes to store after another one, oldest first. Ten of them lie within one hour, and the last one began the hour in which
 * codes are refused (M9).
 */
export const withWrongCode = (earlier: ReadonlyArray<Instant>, now: Instant): ReadonlyArray<Instant> =>
  [...countedCodes(earlier, now), now].slice(-ALLOWED_CODES)

/** Returns whether codes of a person with these wrong codes are refused, right ones too (M9). */
export const refusesCodes = (wrong: ReadonlyArray<Instant>, now: Instant): boolean => {
  const last = wrong.at(-1)
  return wrong.length >= ALLOWED_CODES && last !== undefined && counts(last, now)
}
