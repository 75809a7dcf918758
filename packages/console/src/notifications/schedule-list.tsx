import { at } from '../paths.ts'
import { useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { DeliveryMark } from './delivery-mark.tsx'
import type { ScheduledNotification } from './notifications-api.ts'
import { byDay } from './schedule-query.ts'

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
export const ScheduleList = ({
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
