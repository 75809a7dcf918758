import { today } from '@internationalized/date'
import { readSchedule, type Schedule } from '../../notifications/notifications-api.ts'
import { ScheduleCalendar } from '../../notifications/schedule-calendar.tsx'
import { ScheduleList } from '../../notifications/schedule-list.tsx'
import {
  daysOf,
  matching,
  monthText,
  ofMonth,
  type ScheduleQuery,
  STATE_GROUPS,
  scheduleQueryOf,
} from '../../notifications/schedule-query.ts'
import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { Icon, SelectField } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'

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
