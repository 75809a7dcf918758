import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'
import { useActs, useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { useMessages, useMoment, useSession } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Refusal } from '../ui/problem.tsx'

/** Returns what there is to know of one's own password; undefined where the server has none. */
const showPassword = async (signal: AbortSignal) => {
  const { data } = await consoleApi.get('/sign-in/methods', { signal })
  if (!data.methods.includes('password')) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/password', { signal })
  return { ...answer, data: answer.data.password }
}

/** Makes a secret for the authenticator app. */
const startPassword = async () => (await consoleApi.put('/password/secret', { body: {} })).data

type NewSecret = Awaited<ReturnType<typeof startPassword>>

/** Sets password and authenticator app. Returns the recovery codes, which are shown this once. */
const setPassword = async (body: {
  readonly password: string
  readonly secret: string
  readonly code: string
}): Promise<ReadonlyArray<string>> => (await consoleApi.put('/password', { body })).data.recoveryCodes

/** Changes the password. */
const changePassword = (password: string) => consoleApi.put('/password/text', { body: { password } })

/** Makes new recovery codes, which are shown this once. */
const renewCodes = async (): Promise<ReadonlyArray<string>> =>
  (await consoleApi.put('/password/recovery-codes', { body: {} })).data.recoveryCodes

/** Removes the password. */
const removePassword = () => consoleApi.delete('/password')

/** Draws a text as a QR code, in black on white in each colour scheme, because scanners need it. */
const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}

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
const PasswordDialog = ({
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

/** Shows recovery codes, this once. Escape does not close it: only the button does, so that they are not lost by mistake. */
const RecoveryCodesDialog = ({
  codes,
  onClose,
}: {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}) => {
  const { passwords: words } = useMessages()
  const [isCopied, setCopied] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const copy = () =>
    void navigator.clipboard?.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <dialog
      ref={dialog}
      className="dialog recovery-codes"
      aria-labelledby="codes-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="codes-title">{words.codesTitle}</h2>
      <p>{words.codesText}</p>
      <ul className="codes" aria-label={words.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <span role="status" className="hint">
          {isCopied && words.copied}
        </span>
        <Button onPress={copy}>{words.copy}</Button>
        <Button onPress={() => print()}>{words.print}</Button>
        <Button kind="primary" onPress={onClose}>
          {words.codesDone}
        </Button>
      </div>
    </dialog>
  )
}

/** The dialog that is open over the page. */
type Open =
  | { readonly kind: 'set'; readonly secret: NewSecret }
  | { readonly kind: 'change' | 'renew' | 'remove' }
  | { readonly kind: 'codes'; readonly codes: ReadonlyArray<string> }

/** The person's password with its codes: set up, change, remove (M3). Each act needs a recent proof of presence (M4). */
export const Password = () => {
  const { passwords: words } = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium' })
  const { refused, isBusy, run } = useActs()
  const { answer, reload } = useAnswer('password', showPassword)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const begin = () => void run(startPassword, (secret) => setOpen({ kind: 'set', secret }))
  const done = (text: string) => {
    reload()
    showToast({ text })
  }
  const showCodes = (codes: ReadonlyArray<string>) => {
    reload()
    setOpen({ kind: 'codes', codes })
  }
  const password = answer?.data
  if (password === undefined) return null
  const { isSet, changedAt, lastUsedAt, recoveryCodesLeft } = password
  return (
    <section className="account-part" aria-labelledby="password">
      <h2 id="password">{words.title}</h2>
      <p>{words.text}</p>
      {isSet && (
        <p className="hint">
          {words.changed(dayOf(changedAt))}
          {lastUsedAt !== '' && ` · ${words.used(dayOf(lastUsedAt))}`}
          {` · ${words.left(recoveryCodesLeft)}`}
        </p>
      )}
      <Refusal error={refused} />
      {isSet ? (
        <div className="actions">
          <Button onPress={() => setOpen({ kind: 'change' })}>{words.change}</Button>
          <Button isDisabled={isBusy} onPress={begin}>
            {words.newPhone}
          </Button>
          <Button onPress={() => setOpen({ kind: 'renew' })}>{words.renew}</Button>
          <Button onPress={() => setOpen({ kind: 'remove' })}>{words.remove}</Button>
        </div>
      ) : (
        <Button isDisabled={isBusy} onPress={begin}>
          {words.setUp}
        </Button>
      )}
      {open?.kind === 'set' && (
        <PasswordDialog
          secret={open.secret}
          onCancel={close}
          onDone={(codes) => {
            showCodes(codes)
            showToast({ text: words.set })
          }}
        />
      )}
      {open?.kind === 'change' && (
        <PasswordDialog
          onCancel={close}
          onDone={() => {
            close()
            done(words.changeDone)
          }}
        />
      )}
      {open?.kind === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {(open?.kind === 'renew' || open?.kind === 'remove') && (
        <ConfirmDialog
          title={words[`${open.kind}Title`]}
          confirm={words[open.kind]}
          isDangerous={open.kind === 'remove'}
          onCancel={close}
          onConfirm={() => {
            close()
            if (open.kind === 'renew') void run(renewCodes, showCodes)
            else void run(removePassword, () => done(words.removed))
          }}
        >
          <p>{words[`${open.kind}Text`]}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
