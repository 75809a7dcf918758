import { useState } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../../ui/overlays.tsx'
import { Refusal } from '../../ui/problem.tsx'
import { type NewSecret, removePassword, renewCodes, showPassword, startPassword } from './password-api.ts'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

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
