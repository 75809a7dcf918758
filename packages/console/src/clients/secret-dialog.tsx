import { useEffect, useRef, useState } from 'react'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import type { Credentials } from './clients-api.ts'

/** Shows a new secret, this once. Escape does not close it: only the button does, so that no secret is lost by mistake. */
export const SecretDialog = ({
  credentials: { clientId, secret, oldUntil },
  onClose,
}: {
  readonly credentials: Credentials
  readonly onClose: () => void
}) => {
  const { clients: words } = useMessages()
  const moment = useMoment()
  const dialog = useRef<HTMLDialogElement>(null)
  const [copy, setCopy] = useState<'copied' | 'notCopied'>()
  useEffect(() => dialog.current?.showModal(), [])
  const copySecret = () => {
    navigator.clipboard.writeText(secret).then(
      () => setCopy('copied'),
      () => setCopy('notCopied'),
    )
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="secret-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="secret-title">{words.secretTitle(clientId)}</h2>
      <p>{words.secretText}</p>
      <div className="text-field">
        <label className="label" htmlFor="client-secret">
          {words.secret}
        </label>
        <input id="client-secret" className="secret" readOnly value={secret} />
      </div>
      {oldUntil !== null && <p>{words.secretUntil(moment(oldUntil))}</p>}
      <p role="status">{copy !== undefined && words[copy]}</p>
      <div className="actions">
        <Button onPress={copySecret}>
          <Icon name="copy" />
          {words.copy}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {words.secretDone}
        </Button>
      </div>
    </dialog>
  )
}
