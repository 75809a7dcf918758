import { type Language, useLocaleName, useMessages, useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const

/** The signed-in person: name, language, end of the session, sign-out. */
const AccountPage = () => {
  const { account } = useMessages()
  const { session, setLanguage, signOut } = useSession()
  const locale = useLocaleName()
  const ends = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: session.timeZone,
  }).format(new Date(session.endsAt))
  return (
    <div className="page narrow">
      <h1>{account.title}</h1>
      <dl className="facts">
        <dt>{account.name}</dt>
        <dd>{session.manager.name}</dd>
        <dt>{account.email}</dt>
        <dd>{session.manager.email}</dd>
        <dt>{account.ends}</dt>
        <dd>{ends}</dd>
      </dl>
      <Choice
        label={account.language}
        value={session.manager.language}
        options={LANGUAGES}
        onChange={(value) => setLanguage(value as Language)}
      />
      <Passkeys />
      <OwnSessions />
      <div className="actions">
        <Button onPress={signOut}>{account.signOut}</Button>
      </div>
    </div>
  )
}

export default AccountPage
