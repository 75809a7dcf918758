import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useActs } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Button } from '../../ui/controls.tsx'
import { Refusal } from '../../ui/problem.tsx'
import { inviteManager, type NewManager, type SignInLink } from './managers-api.ts'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const

/** Asks for a new manager, and adds it. */
export const InviteDialog = ({
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
