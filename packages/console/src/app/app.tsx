import { ApiError } from '@almoner/client'
import { useCallback, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { callConsole, whenSessionEnds } from './api.ts'
import { type Language, type Session, SessionProvider } from './session.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Shell } from './shell.tsx'
import { StartFailed } from './start-failed.tsx'

const readSession = async (): Promise<Session> =>
  (await callConsole<{ session: Session }>('GET', '/session')).session

const goToSignIn = (): void =>
  location.replace(`/console/sign-in?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`)

/** The console: loads the session, then shows the pages in the person's language. */
export const App = () => {
  const [session, setSession] = useState<Session>()
  const [failure, setFailure] = useState<unknown>()
  const [hasEnded, setEnded] = useState(false)

  const load = useCallback(() => {
    setFailure(undefined)
    readSession().then(setSession, (error: unknown) => {
      if (error instanceof ApiError && error.status === 401) goToSignIn()
      else setFailure(error)
    })
  }, [])
  useEffect(load, [load])

  useEffect(() => {
    if (session === undefined) return
    document.documentElement.lang = session.manager.language
    whenSessionEnds(() => setEnded(true))
  }, [session])

  if (failure !== undefined) return <StartFailed onRetry={load} />
  if (session === undefined) return null

  const setLanguage = (language: Language) => {
    setSession({ ...session, manager: { ...session.manager, language } })
    void callConsole('PUT', '/session/language', { lang: language })
  }
  const signOut = async () => {
    await callConsole('DELETE', '/session').catch(() => {})
    location.replace('/console/sign-in')
  }
  const goOn = () =>
    readSession().then(
      (next) => {
        setSession(next)
        setEnded(false)
      },
      () => {},
    )
  const locale = session.manager.language === 'fr' ? 'fr-FR' : 'en-GB'
  return (
    <SessionProvider value={{ session, setLanguage, signOut: () => void signOut() }}>
      <I18nProvider locale={locale}>
        <Shell />
        <SessionEnded isOpen={hasEnded} onContinue={goOn} />
      </I18nProvider>
    </SessionProvider>
  )
}
