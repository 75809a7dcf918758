import { addMillis, dayOf, type Instant, type LocalDate, startOfDay, type TimeZone } from '../values/time.ts'

/** A day of a time zone. */
export interface Day {
  readonly day: LocalDate
  readonly begins: Instant
}

/** Returns this number of days of a time zone up to the day of `now`, oldest first (B8). */
export const lastDays = (now: Instant, zone: TimeZone, count: number): ReadonlyArray<Day> => {
  const days: Array<Day> = []
  for (let moment = now; days.length < count; ) {
    const day = dayOf(moment, zone)
    const begins = startOfDay(day, zone)
    days.unshift({ day, begins })
    moment = addMillis(begins, -1)
  }
  return days
}

/** Which of some days, told by their beginnings, a moment lies in; -1 when it lies before the first. The last has no end. */
export const dayAmong = (begins: ReadonlyArray<Instant>, moment: Instant): number =>
  begins.findLastIndex((begin) => begin <= moment)
