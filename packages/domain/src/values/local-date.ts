import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Branded } from './brand.ts'
import type { Instant } from './instant.ts'
import { refined } from './refined.ts'
import { type TimeZone, UTC } from './time-zone.ts'

/** A day of the calendar, `YYYY-MM-DD`; its text order is its order in time. */
export type LocalDate = Branded<string, 'LocalDate'>

const FORM = /^\d{4}-\d{2}-\d{2}$/

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Of each month; February has 29 in leap years. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a day of the right form exists. */
const isReal = (text: string): boolean => {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const days = month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0)
  return day >= 1 && day <= days
}

const readDay = (text: string): E.Either<string, LocalDate> =>
  FORM.test(text) && isReal(text)
    ? E.right(text as LocalDate)
    : E.left('must be a calendar day of the form YYYY-MM-DD')

const FACETS = {
  type: 'string',
  description: 'Calendar day.',
  format: 'date',
  example: '2026-05-01',
} as const

/** A day that exists (B8). */
export const LocalDate = refined<LocalDate>('LocalDate', readDay, FACETS)

/** The first day that a new `itemPublicationDate` may be: earlier ones are years of two digits (B8). */
const FIRST_PUBLICATION = '1900-01-01'

/** Why a new `itemPublicationDate` is refused; undefined if it is not (B8). */
export const publicationDateFault = (day: LocalDate): string | undefined =>
  day < FIRST_PUBLICATION ? `must be ${FIRST_PUBLICATION} or later` : undefined

/** `itemPublicationDate` of a new item: a day that exists, from 1900 on (B8). */
export const PublicationDate = refined<LocalDate>(
  'PublicationDate',
  (text) =>
    pipe(
      readDay(text),
      E.flatMap((day): E.Either<string, LocalDate> => {
        const fault = publicationDateFault(day)
        return fault === undefined ? E.right(day) : E.left(fault)
      }),
    ),
  FACETS,
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

/** A zone's calendar takes longer to make than to read. */
const calendars = new Map<TimeZone, Intl.DateTimeFormat>()

/** Zones whose calendars are kept. People choose zones, and Intl knows each under many spellings. */
const MOST = 100

const calendarIn = (zone: TimeZone): Intl.DateTimeFormat => {
  const known = calendars.get(zone)
  if (known !== undefined) return known
  if (calendars.size >= MOST) calendars.clear()
  const calendar = calendarOf(zone)
  calendars.set(zone, calendar)
  return calendar
}

/** The day it is at a moment in a time zone (B8). */
export const dayOf = (moment: Instant, zone: TimeZone): LocalDate => {
  if (zone === UTC) return new Date(moment).toISOString().slice(0, -'T00:00:00.000Z'.length) as LocalDate
  const parts = calendarIn(zone).formatToParts(moment)
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` as LocalDate
}
