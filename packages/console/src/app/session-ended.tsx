import { type Session, useMessages } from './session.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { useMethods } from './sign-in-methods.ts'

/** Asks for a new sign-in when the session has ended. */
export const SessionEnded = ({
  isOpen,
  onRenewed,
}: {
  readonly isOpen: boolean
  readonly onRenewed: (session: Session) => void
}) => {
  const { endedTitle, endedText } = useMessages().session
  const methods = useMethods(isOpen)
  return (
    <SignInDialog
      isOpen={isOpen}
      title={endedTitle}
      text={endedText}
      methods={methods}
      onSignedIn={onRenewed}
    />
  )
}
