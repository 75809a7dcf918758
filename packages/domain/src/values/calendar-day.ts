import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Instant } from './instant.ts'
import { refined } from './refined.ts'
import { type TimeZone, UTC } from './time-zone.ts'

interface CalendarDayBrand {
  readonly CalendarDay: unique symbol
}
/** A day of the calendar, `YYYY-MM-DD`; its text order is its order in time. */
export type CalendarDay = t.Branded<string, CalendarDayBrand>

const FORM = /^\d{4}-\d{2}-\d{2}$/

/** A day that its month does not have is no date, or one of the next month. */
const isReal = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return new Date(time).getUTCDate() === Number(text.slice('YYYY-MM-'.length))
}

/** `itemPublicationDate`: a day that exists (B8). */
export const CalendarDay = refined<CalendarDay>(
  'CalendarDay',
  (text) =>
    FORM.test(text) && isReal(text)
      ? E.right(text as CalendarDay)
      : E.left('must be a calendar day of the form YYYY-MM-DD'),
  { type: 'string', description: 'Calendar day.', format: 'date', example: '2026-05-01' },
)

const calendarOf = (zone: TimeZone): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    calendar: 'iso8601',
    numberingSystem: 'latn',
  })

/** A zone's calendar takes longer to make than to read; there are some hundred zones. */
const calendars = new Map<TimeZone, Intl.DateTimeFormat>()

const calendarIn = (zone: TimeZone): Intl.DateTimeFormat => {
  const calendar = calendars.get(zone) ?? calendarOf(zone)
  calendars.set(zone, calendar)
  return calendar
}

/** The day it is at a moment in a time zone (B8). */
export const dayOf = (moment: Instant, zone: TimeZone): CalendarDay => {
  if (zone === UTC) return new Date(moment).toISOString().slice(0, -'T00:00:00.000Z'.length) as CalendarDay
  const parts = calendarIn(zone).formatToParts(moment)
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` as CalendarDay
}
