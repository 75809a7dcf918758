import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useActs } from '../session/answers.ts'
import { useMessages } from '../session/session.tsx'
import { Choice } from '../ui/choice.tsx'
import { Button } from '../ui/controls.tsx'
import { fieldErrorText, Refusal } from '../ui/problem.tsx'
import { SwitchField } from '../ui/switch-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { addClient, type Credentials, type NewClient } from './clients-api.ts'

const EMPTY: NewClient = { clientId: '', name: '', scopes: 'user', roles: '', email: '' }

/** The roles that a client can have, in the order in which they are shown. */
const ROLES = ['user-manager', 'super-admin'] as const
type Role = (typeof ROLES)[number]

const rolesOf = (roles: string): ReadonlyArray<string> => roles.split(' ').filter((role) => role !== '')

/** Adds a client: asks for what it is, and shows what the server finds wrong beside each field. */
export const AddDialog = ({
  onAdded,
  onCancel,
}: {
  readonly onAdded: (credentials: Credentials) => void
  readonly onCancel: () => void
}) => {
  const messages = useMessages()
  const { clients: words } = messages
  const dialog = useRef<HTMLDialogElement>(null)
  const [fields, setFields] = useState(EMPTY)
  const { refused, run } = useActs()
  useEffect(() => dialog.current?.showModal(), [])

  const set = (change: Partial<NewClient>) => setFields((before) => ({ ...before, ...change }))
  const setRole = (role: Role, isOn: boolean) => {
    const others = rolesOf(fields.roles).filter((one) => one !== role)
    set({ roles: [...others, ...(isOn ? [role] : [])].join(' ') })
  }
  const errors = refused instanceof ApiError ? refused.errors : []
  const errorsOf = (name: keyof NewClient) =>
    errors.filter(({ field }) => field === name).map(({ message }) => fieldErrorText(message, messages))
  const text = (name: 'clientId' | 'name' | 'email', label: string, hint: string) => (
    <TextField
      id={`client-${name}`}
      label={label}
      hint={hint}
      type="line"
      value={fields[name]}
      onChange={(value) => set({ [name]: value })}
      errors={errorsOf(name)}
    />
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void run(() => addClient(fields), onAdded)
  }
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="add-client" onClose={onCancel}>
      <form className="client-form" onSubmit={submit} noValidate>
        <h2 id="add-client">{words.addTitle}</h2>
        {text('clientId', words.clientId, words.clientIdHint)}
        {text('name', words.name, words.nameHint)}
        <div>
          <Choice
            label={words.scope}
            value={fields.scopes}
            options={(['user', 'user-donor', 'content-manager'] as const).map((value) => ({
              value,
              label: words.scopeNames[value],
            }))}
            onChange={(scopes) => set({ scopes })}
          />
          <p className="hint">{words.scopes[fields.scopes as keyof typeof words.scopes]}</p>
        </div>
        {ROLES.map((role) => (
          <SwitchField
            key={role}
            label={words.roles[role]}
            hint={role}
            isSelected={rolesOf(fields.roles).includes(role)}
            onChange={(isOn) => setRole(role, isOn)}
          />
        ))}
        {text('email', words.email, words.emailHint)}
        {errors.length === 0 && <Refusal error={refused} />}
        <div className="actions">
          <Button onPress={onCancel}>{messages.cancel}</Button>
          <Button kind="primary" type="submit">
            {words.addConfirm}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
