import { useMessages } from '../app/session.tsx'
import { useMoment } from '../ui/use-moment.ts'
import { browserName } from './browser-name.ts'

/** An open session, as the server lists it. */
export interface OpenSession {
  readonly openedAt: string
  readonly lastSeenAt: string
  readonly browser: string
  readonly isCurrent: boolean
}

/** Open sessions: the browser, since when, and the last use. */
export const SessionList = ({ sessions }: { readonly sessions: ReadonlyArray<OpenSession> }) => {
  const { sessions: words } = useMessages()
  const momentOf = useMoment()
  return (
    <ul className="sessions" aria-label={words.list}>
      {sessions.map(({ openedAt, lastSeenAt, browser, isCurrent }) => (
        <li key={`${openedAt} ${browser} ${isCurrent}`}>
          <strong>{browserName(browser) || words.unknown}</strong>
          {isCurrent && <span className="tag">{words.current}</span>}
          <p className="hint">
            {words.opened(momentOf(openedAt))} · {words.seen(momentOf(lastSeenAt))}
          </p>
        </li>
      ))}
    </ul>
  )
}
