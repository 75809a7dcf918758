import { at } from '../../paths.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import type { Desk } from './desk-api.ts'

/** The notifications of today, with their time in the service's time zone. */
export const Today = ({ notifications }: { readonly notifications: Desk['today'] }) => {
  const { desk: words, languages } = useMessages()
  const timeOf = useMoment({ timeStyle: 'short' })
  if (notifications.length === 0) return <p className="hint">{words.todayEmpty}</p>
  return (
    <ul className="due">
      {notifications.map(({ notificationId, sendAt, title, lang, state }) => (
        <li key={notificationId}>
          <time dateTime={sendAt}>{timeOf(sendAt)}</time>
          <a href={at(`/console/notifications/${notificationId}`)} lang={lang}>
            {title}
          </a>
          <span className="hint">
            {languages[lang]} · {words.states[state]}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The notifications that could not be delivered, with the reason. */
export const Failed = ({ notifications }: { readonly notifications: Desk['failed'] }) => {
  const { desk: words } = useMessages()
  if (notifications.length === 0) return null
  return (
    <section className="notice problem" aria-labelledby="failed-title">
      <h2 id="failed-title">{words.failedTitle}</h2>
      <ul>
        {notifications.map(({ notificationId, title, reason }) => (
          <li key={notificationId}>
            <a href={at(`/console/notifications/${notificationId}`)}>{title}</a>: {words.reasons[reason]}
          </li>
        ))}
      </ul>
    </section>
  )
}
