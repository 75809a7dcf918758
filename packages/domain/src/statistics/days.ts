import { addMillis, type Instant, instant, MINUTE } from '../values/instant.ts'
import { dayOf, type LocalDate } from '../values/local-date.ts'
import type { TimeZone } from '../values/time-zone.ts'

/** A day of a time zone. */
export interface Day {
  readonly day: LocalDate
  readonly begins: Instant
}

const HOUR = 60 * MINUTE

/** From any moment of a day, its first moment lies no further back than this: no zone has ever been set back by more in a day. */
const LONGEST_DAY = 49 * HOUR

/** Returns the first moment of a day or a later one, between a moment before it and one that is not. */
const firstMoment = (day: LocalDate, zone: TimeZone, earliest: Instant, latest: Instant): Instant => {
  let before = earliest
  let within = latest
  while (within - before > 1) {
    const middle = addMillis(before, Math.floor((within - before) / 2))
    if (dayOf(middle, zone) < day) before = middle
    else within = middle
  }
  return within
}

/** The first moment of the day that a moment lies in: days of 23 or 25 hours, and those without a midnight, included. */
const beginOf = (moment: Instant, zone: TimeZone): Instant =>
  firstMoment(dayOf(moment, zone), zone, addMillis(moment, -LONGEST_DAY), moment)

/** Returns the first moment of a day in a time zone (B8); of the next day, if the zone skipped that one. */
export const beginOfDay = (day: LocalDate, zone: TimeZone): Instant => {
  const midnight = instant(Date.parse(day))
  return firstMoment(day, zone, addMillis(midnight, -LONGEST_DAY), addMillis(midnight, LONGEST_DAY))
}

/** Returns this number of days of a time zone up to the day of `now`, oldest first (B8). */
export const lastDays = (now: Instant, zone: TimeZone, count: number): ReadonlyArray<Day> => {
  const days: Array<Day> = []
  for (let moment = now; days.length < count; ) {
    const begins = beginOf(moment, zone)
    days.unshift({ day: dayOf(begins, zone), begins })
    moment = addMillis(begins, -1)
  }
  return days
}

/** Which of some days, told by their beginnings, a moment lies in; -1 when it lies before the first. The last has no end. */
export const dayAmong = (begins: ReadonlyArray<Instant>, moment: Instant): number =>
  begins.findLastIndex((begin) => begin <= moment)
