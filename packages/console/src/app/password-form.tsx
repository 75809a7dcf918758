import { type SubmitEvent, useId } from 'react'
import { Button } from '../ui/button.tsx'
import { useMessages } from './session.tsx'

/** Asks for the password and a code of a person whose address is known. */
export const PasswordForm = ({
  email,
  onSubmit,
}: {
  readonly email: string
  readonly onSubmit: (typed: {
    readonly email: string
    readonly password: string
    readonly code: string
  }) => void
}) => {
  const { session: words } = useMessages()
  const id = useId()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onSubmit({ email, password: String(fields.get('password')), code: String(fields.get('code')) })
  }
  return (
    <form className="text-field" onSubmit={submit}>
      {/* Password managers fill the password of this address. */}
      <input hidden type="email" autoComplete="username" readOnly value={email} />
      <label className="label" htmlFor={`${id}-password`}>
        {words.password}
      </label>
      <input id={`${id}-password`} name="password" type="password" autoComplete="current-password" required />
      <label className="label" htmlFor={`${id}-code`}>
        {words.code}
      </label>
      <input
        id={`${id}-code`}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        required
      />
      <Button type="submit">{words.byPassword}</Button>
    </form>
  )
}
