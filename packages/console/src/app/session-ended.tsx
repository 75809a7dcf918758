import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { useMessages } from './session.tsx'

/**
 * A dialog over the page when the session has ended. The page keeps its unsaved text: the person signs in again in another tab and goes on.
 */
export const SessionEnded = ({
  isOpen,
  onContinue,
}: {
  readonly isOpen: boolean
  readonly onContinue: () => void
}) => {
  const { session: words } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="session-ended">
      <h2 id="session-ended">{words.endedTitle}</h2>
      <p>{words.endedText}</p>
      <div className="actions">
        <a className="button" href="/console/sign-in" target="_blank" rel="noreferrer">
          {words.signInAgain}
        </a>
        <Button kind="primary" onPress={onContinue}>
          {words.continue}
        </Button>
      </div>
    </dialog>
  )
}
