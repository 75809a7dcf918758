import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
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
 * A dialog over the page when the session has ended. The page stays as it is: the person signs in with a new link, here or in another tab,
 * and goes on. Another person's session is refused, because the page has unsaved text of this one.
 */
export const SessionEnded = ({
  isOpen,
  onRenewed,
}: {
  readonly isOpen: boolean
  readonly onRenewed: (session: Session) => void
}) => {
  const { session: words } = useMessages()
  const { session } = useSession()
  const [problem, setProblem] = useState<Problem>()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    setProblem(undefined)
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  const renew = async (unauthorized: Problem, signIn: () => Promise<unknown>) => {
    try {
      await signIn()
      const next = await readSession()
      if (next.manager.email !== session.manager.email) return setProblem('other')
      onRenewed(next)
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
      aria-labelledby="session-ended"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="session-ended">{words.endedTitle}</h2>
      <p>{words.endedText}</p>
      <form className="text-field" onSubmit={submit}>
        <label className="label" htmlFor="session-link">
          {words.link}
        </label>
        <input id="session-link" name="link" autoComplete="off" spellCheck={false} required />
        <Button kind="primary" type="submit">
          {words.signIn}
        </Button>
      </form>
      <p className="field-errors" role="alert">
        {problem !== undefined && words.problems[problem]}
      </p>
      <div className="actions">
        <a className="button quiet" href="/console/sign-in" target="_blank" rel="noreferrer">
          {words.otherTab}
        </a>
        <Button onPress={() => void renew('notYet', async () => {})}>{words.continue}</Button>
      </div>
    </dialog>
  )
}
