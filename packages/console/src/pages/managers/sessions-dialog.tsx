import { useEffect, useRef } from 'react'
import { SessionList } from '../../managers/credentials.tsx'
import { useActs, useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'
import { endSessions, listSessions, type Manager } from './managers-api.ts'

/** Shows the open sessions of a manager, and ends them all. */
export const SessionsDialog = ({
  manager: { email, name },
  onClose,
}: {
  readonly manager: Manager
  readonly onClose: () => void
}) => {
  const { managers: words, sessions, close, loading } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { answer, error, reload } = useAnswer(`sessions of ${email}`, (signal) => listSessions(email, signal))
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="sessions-title" onClose={onClose}>
      <h2 id="sessions-title">{words.sessionsTitle(name)}</h2>
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer?.data.length === 0 && <p>{sessions.none}</p>}
      {answer !== undefined && answer.data.length > 0 && <SessionList sessions={answer.data} />}
      <Refusal error={refused} />
      <div className="actions">
        <Button onPress={onClose}>{close}</Button>
        <Button
          kind="primary"
          isDisabled={isBusy || answer === undefined || answer.data.length === 0}
          onPress={() => void run(() => endSessions(email), reload)}
        >
          {words.endAll}
        </Button>
      </div>
    </dialog>
  )
}
