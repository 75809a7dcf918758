import {
  type CalendarDate,
  getWeeksInMonth,
  isSameDay,
  isSameMonth,
  startOfWeek,
  today,
} from '@internationalized/date'
import { at } from '../paths.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import type { ScheduledNotification } from './notifications-api.ts'
import { byDay } from './schedule-query.ts'

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

/** A notification in a day of the calendar. On narrow screens only its language is visible. */
const Entry = ({ notification }: { readonly notification: ScheduledNotification }) => {
  const { notifications: words, languages } = useMessages()
  const timeOf = useMoment({ timeStyle: 'short' })
  const { notificationId, lang, title, sendAt, state } = notification
  return (
    <li>
      <a className={`calendar-entry ${state}`} href={at(`/console/notifications/${notificationId}`)}>
        <span className="calendar-lang">
          <span aria-hidden="true">{lang.toUpperCase()}</span>
          <span className="visually-hidden">{languages[lang]}, </span>
        </span>
        <span className="calendar-text">
          <time dateTime={sendAt}>{timeOf(sendAt)}</time> <span lang={lang}>{title}</span>
          <span className="visually-hidden">, {words.states[state]}</span>
        </span>
      </a>
    </li>
  )
}

const Day = ({
  day,
  month,
  notifications,
}: {
  readonly day: CalendarDate
  readonly month: CalendarDate
  readonly notifications: ReadonlyArray<ScheduledNotification>
}) => {
  const { timeZone } = useSession().session
  if (!isSameMonth(day, month)) return <td className="outside" />
  const isToday = isSameDay(day, today(timeZone))
  return (
    <td aria-current={isToday ? 'date' : undefined}>
      <span className="calendar-number">{day.day}</span>
      {notifications.length > 0 && (
        <ul>
          {notifications.toReversed().map((notification) => (
            <Entry key={notification.notificationId} notification={notification} />
          ))}
        </ul>
      )}
    </td>
  )
}

/** The notifications of a month in its days, in both languages. Weeks begin as they do where the person's language is spoken. */
export const ScheduleCalendar = ({
  month,
  caption,
  notifications,
}: {
  readonly month: CalendarDate
  readonly caption: string
  readonly notifications: ReadonlyArray<ScheduledNotification>
}) => {
  const locale = useLocaleName()
  const { timeZone } = useSession().session
  const days = byDay(notifications, timeZone)
  const first = startOfWeek(month, locale)
  const weeks = Array.from({ length: getWeeksInMonth(month, locale) }, (_, week) =>
    first.add({ weeks: week }),
  )
  const nameOf = (weekday: number, length: 'long' | 'short') =>
    new Intl.DateTimeFormat(locale, { weekday: length, timeZone: 'UTC' }).format(
      first.add({ days: weekday }).toDate('UTC'),
    )
  return (
    <table className="schedule-calendar">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col" abbr={nameOf(weekday, 'long')}>
              {nameOf(weekday, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.toString()}>
            {WEEKDAYS.map((weekday) => {
              const day = week.add({ days: weekday })
              return (
                <Day key={weekday} day={day} month={month} notifications={days.get(day.toString()) ?? []} />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
