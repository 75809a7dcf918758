import { useState } from 'react'
import { useActs, useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { type Language, useLocaleName, useMessages, useMoment, useSession } from '../session/session.tsx'
import { Choice } from '../ui/choice.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { errorTexts, Refusal } from '../ui/problem.tsx'
import { zoneName } from '../ui/send-time.ts'
import { ZoneField } from '../ui/zone-field.tsx'
import { SessionList } from './credentials.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { WaitingFeed } from './waiting-feed.tsx'

/** Reads one's own account of the identity provider; undefined where the server offers none. */
const readIdentity = async (email: string, signal: AbortSignal) => {
  const { data } = await consoleApi.get('/sign-in/methods', { signal })
  if (!data.methods.includes('oidc')) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/identities', { signal })
  const own = answer.data.identities.find(({ identity }) => identity.email === email)
  return { ...answer, data: { identity: own?.identity } }
}

/** The account of the organization that signs the person in (M3). Unlinking it needs a recent proof of presence (M4). */
const Identity = () => {
  const { identities: words } = useMessages()
  const { manager } = useSession().session
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('own identity', (signal) => readIdentity(manager.email, signal))
  const [isAsked, setAsked] = useState(false)
  const dayOf = useMoment({ dateStyle: 'medium' })
  if (answer?.data === undefined) return undefined
  const { identity } = answer.data
  const unlink = () => {
    setAsked(false)
    void run(() => consoleApi.delete('/identities/{email}', { path: { email: manager.email } }), reload)
  }
  return (
    <section className="account-part" aria-labelledby="identity">
      <h2 id="identity">{words.title}</h2>
      <p>{words.text}</p>
      <p className="hint">
        {identity === undefined
          ? words.none
          : words.linked(new URL(identity.issuer).host, dayOf(identity.linkedAt), dayOf(identity.lastUsedAt))}
      </p>
      <Refusal error={refused} />
      {identity !== undefined && (
        <Button isDisabled={isBusy} onPress={() => setAsked(true)}>
          {words.unlink}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={words.unlinkTitle}
          confirm={words.unlinkConfirm}
          isDangerous
          onCancel={() => setAsked(false)}
          onConfirm={unlink}
        >
          <p>{words.unlinkText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const listOwnSessions = async (signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/sessions', { signal })
  return { ...rest, data: data.sessions.map(({ session }) => session) }
}

/** Where the person is signed in, with the means to end all other sessions. */
const OwnSessions = () => {
  const { sessions: words } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('own sessions', listOwnSessions)
  const endOthers = () =>
    void run(
      () => consoleApi.delete('/sessions'),
      () => {
        reload()
        showToast({ text: words.ended })
      },
    )
  const all = answer?.data ?? []
  return (
    <section className="account-part" aria-labelledby="own-sessions">
      <h2 id="own-sessions">{words.title}</h2>
      <SessionList sessions={all} />
      <Refusal error={refused} />
      {all.length > 1 && (
        <Button isDisabled={isBusy} onPress={endOthers}>
          {words.endOthers}
        </Button>
      )}
    </section>
  )
}

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const

/** Language and time zone of the pages, which the server stores with the person. */
const Preferences = () => {
  const messages = useMessages()
  const { account } = messages
  const { session, setLanguage, setSession } = useSession()
  const locale = useLocaleName()
  const { manager, timeZone, serviceTimeZone } = session
  const now = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format()
  const choose = (zone: string): void => {
    consoleApi.put('/session/time-zone', { body: { timeZone: zone } }).then(
      ({ data }) => setSession(data.session),
      (error: unknown) => showToast({ text: errorTexts(error, messages).join(' ') }),
    )
  }
  return (
    <>
      <Choice
        label={account.language}
        value={manager.language}
        options={LANGUAGES}
        onChange={(value) => setLanguage(value as Language)}
      />
      <div>
        <ZoneField
          label={account.zone}
          value={manager.timeZone}
          first={manager.timeZone === '' ? [] : [manager.timeZone]}
          none={account.serviceZone(zoneName(serviceTimeZone))}
          onChange={choose}
        />
        <p className="hint">{account.zoneHint(now)}</p>
      </div>
    </>
  )
}

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
      <WaitingFeed />
      <OwnSessions />
      <div className="actions">
        <Button onPress={signOut}>{account.signOut}</Button>
      </div>
    </div>
  )
}
