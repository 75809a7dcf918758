import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { Identity } from './identity.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Preferences } from './preferences.tsx'

/** The signed-in person: name, end of the session, language, time zone, sign-out. */
export const AccountPage = () => {
  const { account } = useMessages()
  const { session, signOut } = useSession()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  return (
    <div className="page narrow">
      <h1>{account.title}</h1>
      <dl className="facts">
        <dt>{account.name}</dt>
        <dd>{session.manager.name}</dd>
        <dt>{account.email}</dt>
        <dd>{session.manager.email}</dd>
        <dt>{account.ends}</dt>
        <dd>{momentOf(session.endsAt)}</dd>
      </dl>
      <Preferences />
      <Passkeys />
      <Identity />
      <Password />
      <OwnSessions />
      <div className="actions">
        <Button onPress={signOut}>{account.signOut}</Button>
      </div>
    </div>
  )
}
