import { useEffect, useRef, useState } from 'react'
import { useActs, useAnswer } from '../session/answers.ts'
import { useMessages } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog } from '../ui/overlays.tsx'
import { Problem, Refusal } from '../ui/problem.tsx'
import { PasskeyFacts, SessionList } from './credentials.tsx'
import {
  endSessions,
  listManagerPasskeys,
  listSessions,
  type Manager,
  removeManagerPasskey,
} from './managers-api.ts'

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

type Passkey = Awaited<ReturnType<typeof listManagerPasskeys>>['data'][number]

const PasskeyRow = ({
  passkey,
  isBusy,
  onRemove,
}: {
  readonly passkey: Passkey
  readonly isBusy: boolean
  readonly onRemove: () => void
}) => {
  const { passkeys: words } = useMessages()
  return (
    <li>
      <PasskeyFacts passkey={passkey} />
      <div className="actions">
        <Button
          kind="quiet"
          isDisabled={isBusy}
          aria-label={words.actLabel(words.remove, passkey.name)}
          onPress={onRemove}
        >
          {words.remove}
        </Button>
      </div>
    </li>
  )
}

/** Shows the passkeys of a manager, and removes one, as after the theft of a phone (M3). */
export const PasskeysDialog = ({
  manager: { email, name },
  onClose,
}: {
  readonly manager: Manager
  readonly onClose: () => void
}) => {
  const { managers: words, close, loading } = useMessages()
  const { refused, isBusy, run } = useActs()
  const [removed, setRemoved] = useState<Passkey>()
  const { answer, error, reload } = useAnswer(`passkeys of ${email}`, (signal) =>
    listManagerPasskeys(email, signal),
  )
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="passkeys-title" onClose={onClose}>
      <h2 id="passkeys-title">{words.passkeysTitle(name)}</h2>
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer?.data.length === 0 && <p>{words.noPasskeys}</p>}
      {answer !== undefined && answer.data.length > 0 && (
        <ul className="sessions" aria-label={words.passkeysTitle(name)}>
          {answer.data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isBusy={isBusy}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      )}
      <Refusal error={refused} />
      <div className="actions">
        <Button onPress={onClose}>{close}</Button>
      </div>
      {removed !== undefined && (
        <ConfirmDialog
          title={words.removePasskeyTitle(removed.name, name)}
          confirm={words.removePasskey}
          isDangerous
          onCancel={() => setRemoved(undefined)}
          onConfirm={() => {
            setRemoved(undefined)
            void run(() => removeManagerPasskey(email, removed.id), reload)
          }}
        >
          <p>{words.removePasskeyText}</p>
        </ConfirmDialog>
      )}
    </dialog>
  )
}
