import * as O from 'fp-ts/lib/Option.js'
import { type Instant, instant } from './instant.ts'
import { dayOf, LocalDate } from './local-date.ts'
import type { TimeZone } from './time-zone.ts'

const DAY = 86_400_000

/** No time zone is further from UTC, in milliseconds. */
const FARTHEST = 2 * DAY

/** Returns the first instant of a day in a time zone, or of the next day that the zone has. */
export const startOfDay = (day: LocalDate, zone: TimeZone): Instant => {
  const midnight = Date.parse(day)
  let [before, from] = [midnight - FARTHEST, midnight + FARTHEST]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dayOf(instant(middle), zone) < day) before = middle
    else from = middle
  }
  return instant(from)
}

/** Returns the last instant of a day in a time zone; none for the last day that a date can name. */
export const endOfDay = (day: LocalDate, zone: TimeZone): O.Option<Instant> => {
  const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, day.length)
  return LocalDate.is(next) ? O.some(instant(startOfDay(next, zone) - 1)) : O.none
}
