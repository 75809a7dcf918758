import { ApiError } from '@almoner/client'
import { StrictMode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { forgetRuns } from '../content/bulk/bulk-storage.ts'
import { forgetLists } from '../content/list/kept-list.ts'
import { at, withoutBase } from '../paths.ts'
import { changes } from '../session/answers.ts'
import { consoleApi, proof, sessionApi, sessionEnd, watchAttention } from '../session/api.ts'
import { startRouter } from '../session/router.ts'
import { type Language, readSession, type Session, SessionProvider } from '../session/session.tsx'
import { listenToEvents } from './events.ts'
import { pageOf } from './pages.ts'
import { Shell } from './shell.tsx'
import { PresenceDialog, SessionEnded } from './sign-in-dialog.tsx'

/** Shown when the server does not answer at the start: the person's language is not known yet. */
const StartFailed = ({ onRetry }: { readonly onRetry: () => void }) => (
  <main className="start-failed">
    <p role="alert">
      The server does not answer. · <span lang="fr">Le serveur ne répond pas.</span>
    </p>
    <button type="button" className="button" onClick={onRetry}>
      Try again · <span lang="fr">Réessayer</span>
    </button>
  </main>
)

const goToSignIn = (): void =>
  location.replace(at(`/console/sign-in?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`))

/** The console: loads the session, then shows the pages in the person's language. */
const App = () => {
  const [session, setSession] = useState<Session>()
  const [failure, setFailure] = useState<unknown>()
  const hasEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.isEnded)

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
  }, [session])

  const isSignedIn = session !== undefined && !hasEnded
  useEffect(() => (isSignedIn ? listenToEvents() : undefined), [isSignedIn])

  if (failure !== undefined) return <StartFailed onRetry={load} />
  if (session === undefined) return null

  const setLanguage = (language: Language) => {
    setSession({ ...session, manager: { ...session.manager, language } })
    void consoleApi.put('/session/language', { body: { lang: language } })
  }
  const signOut = async () => {
    await sessionApi.delete('/session').catch(() => {})
    forgetRuns()
    forgetLists()
    location.replace(at('/console/sign-in'))
  }
  const resume = (next: Session) => {
    setSession(next)
    sessionEnd.resume()
    // Signing in proves presence: a dialog that asks for it is answered.
    proof.settle(true)
    changes.report()
  }
  const locale = session.manager.language === 'fr' ? 'fr-FR' : 'en-GB'
  return (
    <SessionProvider value={{ session, setLanguage, setSession, signOut: () => void signOut() }}>
      <I18nProvider locale={locale}>
        <Shell />
        <PresenceDialog onRenewed={setSession} />
        <SessionEnded isOpen={hasEnded} onRenewed={resume} />
      </I18nProvider>
    </SessionProvider>
  )
}

watchAttention()
startRouter()
// The script of the page comes at the same time as the session.
void pageOf(withoutBase(location.pathname) ?? '')
  ?.page.load()
  .catch(() => {})
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
