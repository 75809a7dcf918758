import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useActs } from '../session/answers.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Choice } from '../ui/choice.tsx'
import { Button, Icon, SelectField } from '../ui/controls.tsx'
import { ConfirmDialog } from '../ui/overlays.tsx'
import { fieldErrorText, Refusal } from '../ui/problem.tsx'
import { SwitchField } from '../ui/switch-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { addClient, type Client, type Credentials, type NewClient } from './clients-api.ts'

const EMPTY: NewClient = {
  ...{ clientId: '', name: '', scopes: 'user', roles: '', email: '' },
  ...{ people: 'no', audience: '' },
}

const SCOPES = ['user', 'user-donor', 'content-manager'] as const

const PEOPLE = ['no', 'secret', 'public'] as const

/** Empties the fields that others rule out: a public client has no further rights (A10). */
const fitting = (fields: NewClient): NewClient => ({
  ...fields,
  ...(fields.people === 'no' && { audience: '' }),
  ...(fields.people === 'public' && {
    roles: '',
    scopes: fields.scopes === 'content-manager' ? 'user-donor' : fields.scopes,
  }),
})

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

  const set = (change: Partial<NewClient>) => setFields((before) => fitting({ ...before, ...change }))
  const setRole = (role: Role, isOn: boolean) => {
    const others = rolesOf(fields.roles).filter((one) => one !== role)
    set({ roles: [...others, ...(isOn ? [role] : [])].join(' ') })
  }
  const isPublic = fields.people === 'public'
  const errors = refused instanceof ApiError ? refused.errors : []
  const errorsOf = (name: keyof NewClient) =>
    errors.filter(({ field }) => field === name).map(({ message }) => fieldErrorText(message, messages))
  const text = (name: 'clientId' | 'name' | 'email' | 'audience', label: string, hint: string) => (
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
            options={SCOPES.filter((value) => !isPublic || value !== 'content-manager').map((value) => ({
              value,
              label: words.scopeNames[value],
            }))}
            onChange={(scopes) => set({ scopes })}
          />
          <p className="hint">{words.scopes[fields.scopes as keyof typeof words.scopes]}</p>
        </div>
        {!isPublic &&
          ROLES.map((role) => (
            <SwitchField
              key={role}
              label={words.roles[role]}
              hint={role}
              isSelected={rolesOf(fields.roles).includes(role)}
              onChange={(isOn) => setRole(role, isOn)}
            />
          ))}
        <div>
          <Choice
            label={words.people}
            value={fields.people}
            options={PEOPLE.map((value) => ({ value, label: words.peopleNames[value] }))}
            onChange={(people) => set({ people: people as NewClient['people'] })}
          />
          <p className="hint">{words.peopleHints[fields.people]}</p>
        </div>
        {fields.people !== 'no' && text('audience', words.audience, words.audienceHint)}
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

/** The seconds for which the earlier secret can still work. */
const OVERLAPS = { none: 0, hour: 3600, day: 24 * 3600, week: 7 * 24 * 3600 } as const
type Overlap = keyof typeof OVERLAPS

/** Asks for how long the earlier secret of a client still works. */
export const RotateDialog = ({
  client,
  onRotate,
  onCancel,
}: {
  readonly client: Client
  readonly onRotate: (keepOld: number) => void
  readonly onCancel: () => void
}) => {
  const { clients: words } = useMessages()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const options = (Object.keys(OVERLAPS) as ReadonlyArray<Overlap>).map((value) => ({
    value,
    label: words.keep[value],
  }))
  return (
    <ConfirmDialog
      title={words.rotateTitle(client.name)}
      confirm={words.rotateConfirm}
      isDangerous
      onConfirm={() => onRotate(OVERLAPS[overlap])}
      onCancel={onCancel}
    >
      <p>{words.rotateText}</p>
      <SelectField
        label={words.keepOld}
        value={overlap}
        options={options}
        onChange={(value) => setOverlap(value as Overlap)}
      />
    </ConfirmDialog>
  )
}
