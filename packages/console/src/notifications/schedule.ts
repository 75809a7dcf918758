import {
  type CalendarDate,
  endOfMonth,
  isSameMonth,
  parseAbsolute,
  parseDate,
  startOfMonth,
  toCalendarDate,
  today,
} from '@internationalized/date'
import type { ScheduledNotification } from './notifications-api.tsx'

/** What the page of notifications shows, as its URL has it. An empty text filters nothing. */
export interface ScheduleQuery {
  /** The first day of the month. */
  readonly month: CalendarDate
  readonly view: 'list' | 'calendar'
  readonly lang: string
  /** A key of {@link STATE_GROUPS}. */
  readonly state: string
}

/** The states that a filter shows together. */
export const STATE_GROUPS: Readonly<Record<string, ReadonlyArray<ScheduledNotification['state']>>> = {
  scheduled: ['scheduled'],
  sending: ['sending'],
  sent: ['sent'],
  failed: ['partial', 'failed'],
}

const monthIn = (text: string | null, timeZone: string): CalendarDate => {
  try {
    return parseDate(`${text}-01`)
  } catch {
    return startOfMonth(today(timeZone))
  }
}

/** Reads what to show from the parameters of a URL; by default this month's list. */
export const scheduleQueryOf = (query: URLSearchParams, timeZone: string): ScheduleQuery => ({
  month: monthIn(query.get('month'), timeZone),
  view: query.get('view') === 'calendar' ? 'calendar' : 'list',
  lang: query.get('lang') ?? '',
  state: query.get('state') ?? '',
})

/** Returns the value of a month in a URL. */
export const monthText = (month: CalendarDate): string => month.toString().slice(0, 'YYYY-MM'.length)

/** Returns the days to ask for: those of a month, and one more on each side, because the person's zone may differ from the service's. */
export const daysOf = (month: CalendarDate): readonly [from: string, to: string] => [
  startOfMonth(month).subtract({ days: 1 }).toString(),
  endOfMonth(month).add({ days: 1 }).toString(),
]

const dayOf = (sendAt: string, timeZone: string): CalendarDate =>
  toCalendarDate(parseAbsolute(sendAt, timeZone))

/** Returns the notifications of a month, by the clocks of a time zone. */
export const ofMonth = (
  all: ReadonlyArray<ScheduledNotification>,
  month: CalendarDate,
  timeZone: string,
): ReadonlyArray<ScheduledNotification> =>
  all.filter(({ sendAt }) => isSameMonth(dayOf(sendAt, timeZone), month))

/** Returns the notifications that the filters let through. */
export const matching = (
  all: ReadonlyArray<ScheduledNotification>,
  { lang, state }: Pick<ScheduleQuery, 'lang' | 'state'>,
): ReadonlyArray<ScheduledNotification> =>
  all.filter(
    (one) => (lang === '' || one.lang === lang) && (STATE_GROUPS[state]?.includes(one.state) ?? true),
  )

/** Groups notifications by their day in a time zone. The order stays. */
export const byDay = (
  notifications: ReadonlyArray<ScheduledNotification>,
  timeZone: string,
): ReadonlyMap<string, ReadonlyArray<ScheduledNotification>> =>
  Map.groupBy(notifications, ({ sendAt }) => dayOf(sendAt, timeZone).toString())
