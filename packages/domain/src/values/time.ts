import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Branded, type Refined, refined } from './refined.ts'

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

/** Returns the last moment that a clock which is not ahead may note: the clocks of machines may differ by that much (I9). */
export const latestNoted = (now: Instant): Instant => addMillis(now, MINUTE)

/** Returns whether a moment was noted by a clock that was ahead: it lies behind {@link latestNoted}. */
export const isFarAhead = (moment: Instant, now: Instant): boolean => moment > latestNoted(now)

/** The end of something, and the milliseconds for which it was to live; unknown for what an earlier version stored. */
export interface Lifetime {
  readonly expiresAt: Instant
  readonly life?: number | undefined
}

/** Returns whether something counts: its end has not come, and lies no further away than the time that it was given and a minute (I9). */
export const isInLife = ({ expiresAt, life }: Lifetime, now: Instant): boolean =>
  now < expiresAt && (life === undefined || !isFarAhead(addMillis(expiresAt, -life), now))

/** 9999-12-31T23:59:59Z, in UNIX seconds: what lies beyond was meant as milliseconds. */
const LAST_SECOND = 253_402_300_799

/** Makes a codec of moments in UNIX seconds, leading zeros allowed (G2). */
export const timestamp = (name: string, description: string): Refined<Instant> =>
  refined(
    name,
    (text) =>
      /^\d+$/.test(text) && Number(text) <= LAST_SECOND
        ? E.right(instant(Number(text) * SECOND))
        : E.left(`must be a UNIX timestamp in whole seconds, from 0 to ${LAST_SECOND}`),
    { type: 'string', description, pattern: '^[0-9]+$', example: '1893456000' },
  )

/** RFC 3339 in UTC, with milliseconds (C2). */
export const toRfc3339 = (moment: Instant): string => new Date(moment).toISOString()

/** A time zone by its IANA name. */
export type TimeZone = Branded<string, 'TimeZone'>

/** The zone in which days are counted unless a deployment says otherwise (B8). */
export const UTC = 'UTC' as TimeZone

const isKnown = (name: string): boolean => {
  // Without a question to Intl, whose tables take 8 MB.
  if (name === UTC) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    // A RangeError is how Intl says that it does not know the name.
    return false
  }
}

/** Reads the IANA name of a time zone that this runtime knows. */
export const TimeZone = refined<TimeZone>(
  'TimeZone',
  (text) =>
    isKnown(text) ? E.right(text as TimeZone) : E.left('must be an IANA time zone such as Europe/Paris'),
  { type: 'string', description: 'IANA time zone.', example: 'Europe/Paris' },
)

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
  (text) => {
    const day = readDay(text)
    const fault = E.isRight(day) ? publicationDateFault(day.right) : undefined
    return fault === undefined ? day : E.left(fault)
  },
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

/** Returns the next day of the calendar; of the last one that a date can name, that day itself. */
export const dayAfter = (day: LocalDate): LocalDate => {
  const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, day.length)
  return LocalDate.is(next) ? next : day
}

/** Returns the last instant of a day in a time zone; none for the last day that a date can name. */
export const endOfDay = (day: LocalDate, zone: TimeZone): O.Option<Instant> => {
  const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, day.length)
  return LocalDate.is(next) ? O.some(instant(startOfDay(next, zone) - 1)) : O.none
}
