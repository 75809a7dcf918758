import { ApiError } from '@almoner/client'
import { useSyncExternalStore } from 'react'
import { type Session, useMessages } from './session.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'

/** The acts that wait for a proof of presence. Each is called with whether there was one. */
let waiting: ReadonlyArray<(isProved: boolean) => void> = []
const listeners = new Set<() => void>()

const setWaiting = (next: typeof waiting): void => {
  waiting = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const prove = (): Promise<boolean> => new Promise((resolve) => setWaiting([...waiting, resolve]))

const settle = (isProved: boolean): void => {
  const settled = waiting
  setWaiting([])
  for (const resolve of settled) resolve(isProved)
}

/**
 * Does an act that may need a recent proof of presence (M4). If the server asks for one, a dialog lets the person sign in again, and the act
 * is repeated. Rejects as the act does; if the person cancels, with the server's refusal, whose code is `presence_required`.
 */
export const withPresence = async <Result,>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act()
  } catch (error) {
    const isAsked = error instanceof ApiError && error.code === 'presence_required'
    if (!isAsked || !(await prove())) throw error
    return withPresence(act)
  }
}

/** Asks for a proof of presence while an act waits for one. */
export const PresenceDialog = ({ onRenewed }: { readonly onRenewed: (session: Session) => void }) => {
  const { presence } = useMessages()
  const isOpen = useSyncExternalStore(subscribe, () => waiting.length > 0)
  const signedIn = (session: Session) => {
    onRenewed(session)
    settle(true)
  }
  return (
    <SignInDialog
      isOpen={isOpen}
      title={presence.title}
      text={presence.text}
      onSignedIn={signedIn}
      onCancel={() => settle(false)}
    />
  )
}
