import {
  type CalendarDateTime,
  fromAbsolute,
  parseAbsolute,
  parseDate,
  parseTime,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date'

/** A time on the clocks of a zone. */
interface LocalTime {
  /** YYYY-MM-DD. */
  readonly day: string
  /** HH:MM. */
  readonly time: string
  /** An IANA name. */
  readonly zone: string
  /** Of an hour that the clocks show twice, whether it is the second one. */
  readonly isSecond: boolean
}

/** The moment that a time on the clocks of a zone stands for. */
interface SendTime {
  /**
   * Once: the usual case. Missing: the clocks go forward over it, and the moment is as much later. Twice: the clocks go back over it, and there
   * is a first and a second moment.
   */
  readonly kind: 'once' | 'missing' | 'twice'
  readonly moment: Date
}

const localOf = ({ day, time }: Pick<LocalTime, 'day' | 'time'>): CalendarDateTime | undefined => {
  try {
    return toCalendarDateTime(parseDate(day), parseTime(time))
  } catch {
    return undefined
  }
}

/** Returns the moment of a time on the clocks of its zone; undefined if day or time is none. */
export const sendTimeOf = (draft: LocalTime): SendTime | undefined => {
  const local = localOf(draft)
  if (local === undefined) return undefined
  const [first, second] = [toZoned(local, draft.zone, 'earlier'), toZoned(local, draft.zone, 'later')]
  const momentOf = (zoned: ZonedDateTime, kind: SendTime['kind']): SendTime => ({
    kind,
    moment: zoned.toDate(),
  })
  if (first.compare(second) === 0) return momentOf(first, 'once')
  if (toCalendarDateTime(second).compare(local) !== 0) return momentOf(second, 'missing')
  return momentOf(draft.isSecond ? second : first, 'twice')
}

/** Returns the offset of a zone at a moment in milliseconds. */
export const offsetAt = (moment: number, zone: string): number => fromAbsolute(moment, zone).offset

const MINUTE = 60_000

/** Returns an offset as clocks are compared: "UTC+2", "UTC+5:30", "UTC". */
export const offsetText = (offset: number): string => {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  if (minutes === 0) return 'UTC'
  const rest = minutes % 60
  const hours = `${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
  return `UTC${offset < 0 ? '−' : '+'}${hours}`
}

/** Returns the moment between two others from which on the clocks of a zone have another offset; undefined if both ends have the same. */
export const clockChange = (from: Date, to: Date, zone: string): Date | undefined => {
  let [low, high] = [from.getTime(), to.getTime()]
  const target = offsetAt(high, zone)
  if (low >= high || offsetAt(low, zone) === target) return undefined
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === target) high = middle
    else low = middle
  }
  return new Date(high)
}

/** Returns a time zone as people look for it, by its city: "Paris, Europe". */
export const zoneName = (zone: string): string => {
  const parts = zone.replaceAll('_', ' ').split('/')
  const city = parts.pop() ?? zone
  return parts.length === 0 ? city : `${city}, ${parts.join(', ')}`
}

/** Returns the time zones to choose from: some first, then UTC, then all by the names of their cities. */
export const zonesFrom = (...first: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = Intl.supportedValuesOf('timeZone').toSorted((a, b) => (zoneName(a) < zoneName(b) ? -1 : 1))
  return [...new Set([...first, 'UTC', ...all])]
}

/** Returns the day of a moment by the clocks of a time zone. */
export const dayIn = (moment: string, timeZone: string): string =>
  toCalendarDate(parseAbsolute(moment, timeZone)).toString()

/** Returns a moment at the same time of another day, by the clocks of a time zone. */
export const onDay = (moment: string, day: string, timeZone: string): string => {
  const { year, month, day: number } = parseDate(day)
  return parseAbsolute(moment, timeZone).set({ year, month, day: number }).toAbsoluteString()
}
