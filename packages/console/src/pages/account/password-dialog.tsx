import { type SubmitEvent, useEffect, useRef } from 'react'
import { useActs } from '../../session/answers.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { Refusal } from '../../ui/problem.tsx'
import { changePassword, type NewSecret, setPassword } from './password-api.ts'
import { QrCode } from './qr-code.tsx'

const Secret = ({ secret, uri }: NewSecret) => {
  const { passwords: words } = useMessages()
  return (
    <>
      <p>{words.scan}</p>
      <QrCode text={uri} label={words.qrLabel} />
      <a className="button quiet" href={uri}>
        {words.orOpen}
      </a>
      <div className="text-field">
        <label className="label" htmlFor="totp-secret">
          {words.secret}
        </label>
        <input id="totp-secret" className="secret" readOnly value={secret} />
      </div>
      <div className="text-field">
        <label className="label" htmlFor="totp-code">
          {words.code}
        </label>
        <input
          id="totp-code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          required
        />
      </div>
    </>
  )
}

/** Asks for a new password; with a secret for the authenticator app, also for the code that confirms it. `onDone` gets the recovery codes. */
export const PasswordDialog = ({
  secret,
  onDone,
  onCancel,
}: {
  readonly secret?: NewSecret
  readonly onDone: (codes: ReadonlyArray<string>) => void
  readonly onCancel: () => void
}) => {
  const { passwords: words, cancel } = useMessages()
  const { email } = useSession().session.manager
  const { refused, isBusy, run } = useActs()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const password = String(fields.get('password'))
    const act = async () => {
      if (secret) return setPassword({ password, secret: secret.secret, code: String(fields.get('code')) })
      await changePassword(password)
      return []
    }
    void run(act, onDone)
  }
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="password-title" onClose={onCancel}>
      <h2 id="password-title">{secret ? words.setUp : words.change}</h2>
      <form className="stack" onSubmit={submit}>
        <input hidden type="email" autoComplete="username" readOnly value={email} />
        <div className="text-field">
          <label className="label" htmlFor="new-password">
            {words.password}
          </label>
          <input
            id="new-password"
            name="password"
            type="password"
            autoComplete="new-password"
            aria-describedby="new-password-hint"
            required
          />
          <p id="new-password-hint" className="hint">
            {words.passwordHint}
          </p>
        </div>
        {secret && <Secret {...secret} />}
        <p className="hint">{words.othersEnd}</p>
        <Refusal error={refused} />
        <div className="actions">
          <Button onPress={onCancel}>{cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {secret ? words.setUpAct : words.changeAct}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
