import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { at } from '../paths.ts'
import { useActs, useAnswer } from '../session/answers.ts'
import { useMessages, useMoment, useSession } from '../session/session.tsx'
import { Choice } from '../ui/choice.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { Problem, Refusal } from '../ui/problem.tsx'
import { PasskeysDialog, SessionsDialog } from './manager-dialogs.tsx'
import {
  inviteAgain,
  inviteManager,
  listLinked,
  listManagers,
  type Manager,
  type NewManager,
  removePassword,
  type SignInLink,
  setAccess,
  unlinkIdentity,
} from './managers-api.ts'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const

/** Asks for a new manager, and adds it. */
const InviteDialog = ({
  onAdded,
  onCancel,
}: {
  readonly onAdded: (link: SignInLink) => void
  readonly onCancel: () => void
}) => {
  const { managers: words, cancel } = useMessages()
  const [fields, setFields] = useState<NewManager>({ email: '', name: '', duty: 'editor', lang: 'fr' })
  const { refused, isBusy, run } = useActs()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const set = (change: Partial<NewManager>) => setFields({ ...fields, ...change })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void run(() => inviteManager({ ...fields, email: fields.email.trim() }), onAdded)
  }
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="invite-title" onClose={onCancel}>
      <h2 id="invite-title">{words.add}</h2>
      <form className="stack" onSubmit={submit}>
        <div className="text-field">
          <label className="label" htmlFor="invite-email">
            {words.email}
          </label>
          <input
            id="invite-email"
            type="email"
            autoComplete="off"
            required
            value={fields.email}
            onChange={({ target }) => set({ email: target.value })}
          />
        </div>
        <div className="text-field">
          <label className="label" htmlFor="invite-name">
            {words.name}
          </label>
          <input
            id="invite-name"
            autoComplete="off"
            maxLength={200}
            required
            value={fields.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </div>
        <Choice
          label={words.duty}
          value={fields.duty}
          options={(['editor', 'operator'] as const).map((value) => ({ value, label: words.duties[value] }))}
          onChange={(value) => set({ duty: value as NewManager['duty'] })}
        />
        <p className="hint">{words.dutyHints[fields.duty]}</p>
        <Choice
          label={words.language}
          value={fields.lang}
          options={LANGUAGES}
          onChange={(value) => set({ lang: value as NewManager['lang'] })}
        />
        <Refusal error={refused} />
        <div className="actions">
          <Button onPress={onCancel}>{cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {words.addAct}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

/** Shows a sign-in link, which cannot be shown again. Closes by its button only. */
const LinkDialog = ({ link, onClose }: { readonly link: SignInLink; readonly onClose: () => void }) => {
  const { managers: words, close } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const [isCopied, setCopied] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const url = new URL(at(`/console/enter#${link.token}`), location.href).href
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="link-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="link-title">{words.linkTitle(link.name)}</h2>
      <p>{words.linkText(momentOf(link.expiresAt))}</p>
      <div className="text-field">
        <label className="label" htmlFor="link-url">
          {words.link}
        </label>
        <input id="link-url" readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </div>
      <div className="actions">
        <span role="status" className="hint">
          {isCopied && words.copied}
        </span>
        <Button onPress={onClose}>{close}</Button>
        <Button
          kind="primary"
          onPress={() =>
            void navigator.clipboard?.writeText(url).then(
              () => setCopied(true),
              () => {},
            )
          }
        >
          {words.copy}
        </Button>
      </div>
    </dialog>
  )
}

/** What an operator can do with a manager. */
type ManagerAct = 'link' | 'sessions' | 'passkeys' | 'password' | 'duty' | 'disable' | 'enable' | 'unlink'

const actsOf = ({ disabled, hasPassword }: Manager, isLinked: boolean): ReadonlyArray<ManagerAct> => [
  ...(disabled
    ? (['enable', 'passkeys'] as const)
    : (['link', 'sessions', 'passkeys', 'duty', 'disable'] as const)),
  ...(hasPassword ? (['password'] as const) : []),
  ...(isLinked ? (['unlink'] as const) : []),
]

/** A manager with the acts that are possible. One's own access is changed by another operator. */
const ManagerRow = ({
  manager,
  isLinked,
  onAct,
}: {
  readonly manager: Manager
  /** Whether an account of the identity provider is linked. */
  readonly isLinked: boolean
  readonly onAct: (act: ManagerAct) => void
}) => {
  const { managers: words, languages } = useMessages()
  const isOwn = useSession().session.manager.email === manager.email
  const { name, email, duty, language, disabled } = manager
  const labels: Readonly<Record<ManagerAct, string>> = {
    ...words.acts,
    duty: duty === 'editor' ? words.makeOperator : words.makeEditor,
  }
  return (
    <li className="manager">
      <div>
        <h2>{name}</h2>
        <p className="meta">
          <span>{email}</span>
          <span>{words.duties[duty]}</span>
          <span>{languages[language]}</span>
          {isLinked && <span className="tag">{words.linked}</span>}
          {disabled && <span className="mark">{words.disabled}</span>}
          {isOwn && <span className="tag">{words.you}</span>}
        </p>
      </div>
      {isOwn ? (
        <a className="button quiet" href={at('/console/account')}>
          {words.ownAccount}
        </a>
      ) : (
        <div className="actions">
          {actsOf(manager, isLinked).map((act) => (
            <Button key={act} aria-label={words.actLabel(labels[act], name)} onPress={() => onAct(act)}>
              {labels[act]}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}

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
          isDangerous={open.act !== 'duty'}
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
