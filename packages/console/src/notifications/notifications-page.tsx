import {
  type CalendarDate,
  getWeeksInMonth,
  isSameDay,
  isSameMonth,
  startOfWeek,
  today,
} from '@internationalized/date'
import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import { goTo, useUrl, withQuery } from '../session/router.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { Icon, SelectField } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'
import {
  DeliveryMark,
  readSchedule,
  type Schedule,
  type ScheduledNotification,
} from './notifications-api.tsx'
import {
  byDay,
  daysOf,
  matching,
  monthText,
  ofMonth,
  type ScheduleQuery,
  STATE_GROUPS,
  scheduleQueryOf,
} from './schedule.ts'

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
const ScheduleCalendar = ({
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

const Row = ({ notification }: { readonly notification: ScheduledNotification }) => {
  const { notifications: words, languages } = useMessages()
  const timeOf = useMoment({ timeStyle: 'short' })
  const { notificationId, lang, title, sendAt, state, recipients } = notification
  return (
    <li className="row scheduled-row">
      <time dateTime={sendAt}>{timeOf(sendAt)}</time>
      <div className="row-text">
        <a className="title" href={at(`/console/notifications/${notificationId}`)} lang={lang}>
          {title}
        </a>
        <p className="meta">
          <DeliveryMark state={state} />
          <span>{languages[lang]}</span>
          {recipients > 0 && <span>{words.devices(recipients)}</span>}
        </p>
      </div>
    </li>
  )
}

/** Notifications by day, the latest day first. */
const ScheduleList = ({
  notifications,
  isStale,
}: {
  readonly notifications: ReadonlyArray<ScheduledNotification>
  readonly isStale: boolean
}) => {
  const { timeZone } = useSession().session
  const day = new Intl.DateTimeFormat(useLocaleName(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return (
    <div aria-busy={isStale}>
      {[...byDay(notifications, timeZone)].map(([date, ofDay]) => (
        <section key={date} className="schedule-day" aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`}>{day.format(new Date(date))}</h2>
          <ul className="rows">
            {ofDay.map((notification) => (
              <Row key={notification.notificationId} notification={notification} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Months, the two views, and the filters. */
const Controls = ({ query, title }: { readonly query: ScheduleQuery; readonly title: string }) => {
  const { notifications: words, list, languages } = useMessages()
  const { timeZone } = useSession().session
  const url = useUrl()
  const monthHref = (month: ScheduleQuery['month']) => withQuery(url, { month: monthText(month) })
  const change = (changes: Readonly<Record<string, string>>) => goTo(withQuery(url, changes), 'replace')
  return (
    <div className="schedule-controls">
      <nav className="months" aria-label={words.months}>
        <a
          className="button quiet"
          href={monthHref(query.month.subtract({ months: 1 }))}
          aria-label={words.previous}
        >
          <Icon name="previous" />
        </a>
        <h2>{title}</h2>
        <a className="button quiet" href={monthHref(query.month.add({ months: 1 }))} aria-label={words.next}>
          <Icon name="next" />
        </a>
        <a className="button quiet" href={monthHref(today(timeZone))}>
          {words.today}
        </a>
      </nav>
      <search className="schedule-filters" aria-label={list.filters}>
        <SelectField
          label={words.view}
          value={query.view}
          options={(['list', 'calendar'] as const).map((value) => ({ value, label: words.views[value] }))}
          onChange={(view) => change({ view: view === 'list' ? '' : view })}
        />
        <SelectField
          label={list.language}
          value={query.lang}
          options={[
            { value: '', label: list.any.language },
            { value: 'en', label: languages.en },
            { value: 'fr', label: languages.fr },
          ]}
          onChange={(lang) => change({ lang })}
        />
        <SelectField
          label={words.state}
          value={query.state}
          options={[
            { value: '', label: list.any.status },
            ...Object.keys(STATE_GROUPS).map((value) => ({
              value,
              label: words.stateGroups[value as keyof typeof words.stateGroups],
            })),
          ]}
          onChange={(state) => change({ state })}
        />
      </search>
    </div>
  )
}

const Shown = ({
  schedule,
  query,
  title,
  isStale,
}: {
  readonly schedule: Schedule
  readonly query: ScheduleQuery
  readonly title: string
  readonly isStale: boolean
}) => {
  const { notifications: words } = useMessages()
  const { timeZone } = useSession().session
  const all = ofMonth(schedule.notifications, query.month, timeZone)
  const shown = matching(all, query)
  if (query.view === 'calendar')
    return <ScheduleCalendar month={query.month} caption={title} notifications={shown} />
  if (shown.length > 0) return <ScheduleList notifications={shown} isStale={isStale} />
  const isFiltered = all.length > 0
  return (
    <div className="empty">
      <Icon name="bell" />
      <h3>{isFiltered ? words.noneTitle : words.emptyTitle(title)}</h3>
      <p>{isFiltered ? words.noneText : words.emptyText}</p>
    </div>
  )
}

/** The notifications of a month: scheduled, on their way, and sent. What is shown is in the URL. */
export const NotificationsPage = () => {
  const messages = useMessages()
  const words = messages.notifications
  const locale = useLocaleName()
  const { timeZone } = useSession().session
  const query = scheduleQueryOf(useUrl().searchParams, timeZone)
  const [from, to] = daysOf(query.month)
  const { answer, error, isLoading, reload } = useAnswer(`notifications ${from} ${to}`, (signal) =>
    readSchedule(from, to, signal),
  )
  const title = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    query.month.toDate('UTC'),
  )
  const schedule = answer?.data
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <a className="button primary" href={at('/console/notifications/new')}>
          <Icon name="add" />
          {messages.composer.create}
        </a>
      </div>
      <Controls query={query} title={title} />
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {schedule === undefined && error === undefined && <p className="loading">{messages.loading}</p>}
      {schedule?.complete === false && <p className="notice">{words.incomplete}</p>}
      {schedule !== undefined && (
        <Shown schedule={schedule} query={query} title={title} isStale={isLoading} />
      )}
    </div>
  )
}
