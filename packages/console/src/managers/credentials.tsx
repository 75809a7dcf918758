import { useMessages, useMoment } from '../session/session.tsx'
import { browserName } from '../session/sign-in-methods.ts'

/** An open session, as the server lists it. */
interface OpenSession {
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

/** Shows the name of a passkey, and when it was added and last used. */
export const PasskeyFacts = ({
  passkey: { name, createdAt, lastUsedAt },
}: {
  readonly passkey: { readonly name: string; readonly createdAt: string; readonly lastUsedAt: string }
}) => {
  const { passkeys: words } = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium' })
  return (
    <>
      <strong>{name}</strong>
      <p className="hint">
        {words.created(dayOf(createdAt))}
        {lastUsedAt !== '' && ` · ${words.used(dayOf(lastUsedAt))}`}
      </p>
    </>
  )
}
