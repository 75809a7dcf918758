import { useState } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../../ui/overlays.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { type ManagerAct, ManagerRow } from './manager-row.tsx'
import {
  inviteAgain,
  listLinked,
  listManagers,
  type Manager,
  removePassword,
  type SignInLink,
  setAccess,
  unlinkIdentity,
} from './managers-api.ts'
import { PasskeysDialog } from './passkeys-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'

/** The acts that are confirmed first. */
type ConfirmedAct = 'duty' | 'disable' | 'password' | 'unlink'

/** The dialog that is open over the page. */
type Open =
  | { readonly kind: 'invite' }
  | { readonly kind: 'link'; readonly link: SignInLink }
  | { readonly kind: 'sessions' | 'passkeys'; readonly manager: Manager }
  | { readonly kind: 'confirm'; readonly manager: Manager; readonly act: ConfirmedAct }

const otherDuty = ({ duty }: Manager): Manager['duty'] => (duty === 'editor' ? 'operator' : 'editor')

/** The managers of the console, for operators: who they are, their duties, links and sessions. */
export const ManagersPage = () => {
  const { managers: words, loading } = useMessages()
  const [open, setOpen] = useState<Open>()
  const { refused, run } = useActs()
  const { answer, error, reload } = useAnswer('managers', listManagers)
  const { answer: linked } = useAnswer('identities', listLinked)
  const close = () => setOpen(undefined)
  const showLink = (link: SignInLink) => setOpen({ kind: 'link', link })

  const change = ({ name }: Manager, act: () => Promise<unknown>) =>
    void run(act, () => showToast({ text: words.changed(name) }))
  const confirmed: Readonly<Record<ConfirmedAct, (manager: Manager) => Promise<unknown>>> = {
    duty: (manager) => setAccess(manager.email, { duty: otherDuty(manager) }),
    disable: ({ email }) => setAccess(email, { disabled: 'true' }),
    password: ({ email }) => removePassword(email),
    unlink: ({ email }) => unlinkIdentity(email),
  }
  const acts: Readonly<Record<ManagerAct, (manager: Manager) => void>> = {
    link: ({ email }) => void run(() => inviteAgain(email), showLink),
    sessions: (manager) => setOpen({ kind: 'sessions', manager }),
    passkeys: (manager) => setOpen({ kind: 'passkeys', manager }),
    duty: (manager) => setOpen({ kind: 'confirm', manager, act: 'duty' }),
    password: (manager) => setOpen({ kind: 'confirm', manager, act: 'password' }),
    disable: (manager) => setOpen({ kind: 'confirm', manager, act: 'disable' }),
    enable: (manager) => change(manager, () => setAccess(manager.email, { disabled: 'false' })),
    unlink: (manager) => setOpen({ kind: 'confirm', manager, act: 'unlink' }),
  }
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Button kind="primary" onPress={() => setOpen({ kind: 'invite' })}>
          <Icon name="add" />
          {words.add}
        </Button>
      </div>
      <Refusal error={refused} />
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      <ul className="rows" aria-label={words.title}>
        {answer?.data.map((manager) => (
          <ManagerRow
            key={manager.email}
            manager={manager}
            isLinked={linked?.data.has(manager.email) === true}
            onAct={(act) => acts[act](manager)}
          />
        ))}
      </ul>
      {open?.kind === 'invite' && <InviteDialog onAdded={showLink} onCancel={close} />}
      {open?.kind === 'link' && <LinkDialog link={open.link} onClose={close} />}
      {open?.kind === 'sessions' && <SessionsDialog manager={open.manager} onClose={close} />}
      {open?.kind === 'passkeys' && <PasskeysDialog manager={open.manager} onClose={close} />}
      {open?.kind === 'confirm' && (
        <ConfirmDialog
          title={words.confirmTitle[open.act](open.manager.name, words.duties[otherDuty(open.manager)])}
          confirm={words.confirm[open.act]}
          onCancel={close}
          onConfirm={() => {
            close()
            change(open.manager, () => confirmed[open.act](open.manager))
          }}
        >
          <p>{words.confirmText[open.act]}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
