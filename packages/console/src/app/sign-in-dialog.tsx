import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { tokenOf } from '../sign-in/token.ts'
import { Button } from '../ui/button.tsx'
import { sessionApi } from './api.ts'
import { readSession, type Session, useMessages, useSession } from './session.tsx'

type Problem = 'refused' | 'tooMany' | 'failed' | 'notYet' | 'other'

const problemOf = (error: unknown, unauthorized: Problem): Problem => {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.status === 429) return 'tooMany'
  return error.status === 401 || error.status === 400 ? unauthorized : 'failed'
}

/**
 * A dialog over the page in which the person signs in again, here or in another tab. The page stays as it is. Another person's session is
 * refused, because the page has unsaved text of this one. Without `onCancel` only signing in closes it.
 */
export const SignInDialog = ({
  isOpen,
  title,
  text,
  onSignedIn,
  onCancel,
}: {
  readonly isOpen: boolean
  readonly title: string
  readonly text: string
  readonly onSignedIn: (session: Session) => void
  readonly onCancel?: () => void
}) => {
  const { session: words, cancel } = useMessages()
  const { session } = useSession()
  const [problem, setProblem] = useState<Problem>()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    setProblem(undefined)
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  const renew = async (unauthorized: Problem, signIn?: () => Promise<unknown>) => {
    try {
      await signIn?.()
      const next = await readSession()
      if (next.manager.email !== session.manager.email) return setProblem('other')
      if (signIn === undefined && next.confirmedAt === session.confirmedAt) return setProblem('notYet')
      onSignedIn(next)
    } catch (error) {
      setProblem(problemOf(error, unauthorized))
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const token = tokenOf(String(new FormData(form).get('link')))
    form.reset()
    void renew('refused', () => sessionApi.post('/sign-in/link', { body: { token } }))
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p>{text}</p>
      <form className="text-field" onSubmit={submit}>
        <label className="label" htmlFor={`${id}-link`}>
          {words.link}
        </label>
        <input id={`${id}-link`} name="link" autoComplete="off" spellCheck={false} required />
        <Button kind="primary" type="submit">
          {words.signIn}
        </Button>
      </form>
      <p className="field-errors" role="alert">
        {problem !== undefined && words.problems[problem]}
      </p>
      <div className="actions">
        {onCancel !== undefined && <Button onPress={onCancel}>{cancel}</Button>}
        <a className="button quiet" href="/console/sign-in" target="_blank" rel="noreferrer">
          {words.otherTab}
        </a>
        <Button onPress={() => void renew('notYet')}>{words.continue}</Button>
      </div>
    </dialog>
  )
}
