import { createContext, use } from 'react'
import { en, type Messages } from '../messages/en.ts'
import { fr, unbroken } from '../messages/fr.ts'
import { sessionApi } from './api.ts'

/** The languages of the console, with their messages. */
const MESSAGES = { en, fr: unbroken(fr) } as const

export type Language = keyof typeof MESSAGES

/** Reads the session. Rejects with an `ApiError` with status 401 if there is none. */
export const readSession = async () => (await sessionApi.get('/session')).data.session

/** The session as the server answers it. */
export type Session = Awaited<ReturnType<typeof readSession>>

/** The session of the signed-in person, with the means to change it. */
interface SessionContext {
  readonly session: Session
  readonly setLanguage: (language: Language) => void
  /** Replaces the session by one that the server has answered after a change. */
  readonly setSession: (session: Session) => void
  readonly signOut: () => void
}

const Context = createContext<SessionContext | undefined>(undefined)

/** Makes the session available to all below. */
export const SessionProvider = Context.Provider

/** Returns the session. Only for components of the app, which is rendered once there is one. */
export const useSession = (): SessionContext => {
  const context = use(Context)
  if (context === undefined) throw new TypeError('There is no session.')
  return context
}

/** Returns the messages in the person's language. */
export const useMessages = (): Messages => MESSAGES[useSession().session.manager.language]

/** Returns the locale for dates and numbers: that of the person's language. */
export const useLocaleName = (): 'en-GB' | 'fr-FR' =>
  useSession().session.manager.language === 'fr' ? 'fr-FR' : 'en-GB'

type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>

/** Returns a function that writes a moment in the person's language and time zone. */
export const useMoment = (
  style: Style = { dateStyle: 'medium', timeStyle: 'short' },
): ((moment: string) => string) => {
  const { timeZone } = useSession().session
  const format = new Intl.DateTimeFormat(useLocaleName(), { ...style, timeZone })
  return (moment) => format.format(new Date(moment))
}
