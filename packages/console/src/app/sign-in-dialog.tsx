import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { at } from '../paths.ts'
import { onSignInElsewhere } from '../sign-in/announcement.ts'
import { askForPasskey } from '../sign-in/passkey.ts'
import { tokenOf } from '../sign-in/token.ts'
import { Button } from '../ui/button.tsx'
import { sessionApi } from './api.ts'
import { PasswordForm } from './password-form.tsx'
import { readSession, type Session, useMessages, useSession } from './session.tsx'
import type { Methods } from './sign-in-methods.ts'

/** Milliseconds after a click on one of the links to another tab in which a sign-in there lets the page go on. */
const SIGNING_IN = 5 * 60_000

type Problem = 'refused' | 'noPasskey' | 'noPassword' | 'tooMany' | 'failed' | 'notYet' | 'other'

const problemOf = (error: unknown, unauthorized: Problem): Problem | undefined => {
  // The person has closed the browser's dialog.
  if (error instanceof DOMException) return undefined
  if (!(error instanceof ApiError)) return 'failed'
  if (error.status === 429) return 'tooMany'
  return error.status === 401 || error.status === 400 ? unauthorized : 'failed'
}

const signInByPasskey = async () => {
  const { options } = (await sessionApi.post('/sign-in/passkey/options', { body: {} })).data
  await sessionApi.post('/sign-in/passkey', { body: { response: await askForPasskey(options) } })
}

/**
 * A dialog over the page in which the person signs in again, here or in another tab. The page stays as it is, and goes on by itself after a
 * sign-in in a tab that was opened from here. Another person's session is refused, because the page has unsaved text of this one. Without
 * `onCancel` only signing in closes it.
 */
export const SignInDialog = ({
  isOpen,
  title,
  text,
  methods,
  onSignedIn,
  onCancel,
}: {
  readonly isOpen: boolean
  readonly title: string
  readonly text: string
  readonly methods: Methods
  readonly onSignedIn: (session: Session) => void
  readonly onCancel?: () => void
}) => {
  const { session: words, cancel } = useMessages()
  const { session } = useSession()
  const [problem, setProblem] = useState<Problem>()
  // An account of an identity provider is linked by its first sign-in, so it may work for a person who has none yet.
  const offers = (method: string) =>
    methods.possible.includes(method) && (method === 'oidc' || methods.own?.includes(method) !== false)
  const hasPasskeys = offers('passkey')
  const dialog = useRef<HTMLDialogElement>(null)
  const leftAt = useRef(Number.NEGATIVE_INFINITY)
  const id = useId()
  useEffect(() => {
    setProblem(undefined)
    leftAt.current = Number.NEGATIVE_INFINITY
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
  /** The link of another person is refused before it signs in. */
  const renewByLink = async (token: string) => {
    try {
      const { link } = (await sessionApi.post('/sign-in/link/person', { body: { token } })).data
      if (link.email !== session.manager.email) return setProblem('other')
      await renew('refused', () => sessionApi.post('/sign-in/link', { body: { token } }))
    } catch (error) {
      setProblem(problemOf(error, 'refused'))
    }
  }
  const leave = () => {
    leftAt.current = Date.now()
  }
  // A sign-in for another reason, perhaps hours later, must not set off an act out of sight.
  const signedInElsewhere = () => {
    if (Date.now() - leftAt.current < SIGNING_IN) void renew('notYet')
  }
  useEffect(() => (isOpen ? onSignInElsewhere(signedInElsewhere) : undefined))

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const token = tokenOf(String(new FormData(form).get('link')))
    form.reset()
    void renewByLink(token)
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
      {hasPasskeys && (
        <Button kind="primary" onPress={() => void renew('noPasskey', signInByPasskey)}>
          {words.passkey}
        </Button>
      )}
      {offers('oidc') && (
        <a
          className="button"
          href={at('/console/sign-in?again=oidc')}
          target="_blank"
          rel="noreferrer"
          onClick={leave}
        >
          {words.oidc}
        </a>
      )}
      <form className="text-field" onSubmit={submit}>
        <label className="label" htmlFor={`${id}-link`}>
          {words.link}
        </label>
        <input
          id={`${id}-link`}
          name="link"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          required
        />
        <p className="hint" id={`${id}-hint`}>
          {words.linkHint(`almoner manager link ${session.manager.email}`)}
        </p>
        <Button kind={hasPasskeys ? 'plain' : 'primary'} type="submit">
          {words.signIn}
        </Button>
      </form>
      {isOpen && offers('password') && (
        <PasswordForm
          email={session.manager.email}
          onSubmit={(body) => void renew('noPassword', () => sessionApi.post('/sign-in/password', { body }))}
        />
      )}
      <p className="field-errors" role="alert">
        {problem !== undefined && words.problems[problem]}
      </p>
      <div className="actions">
        {onCancel !== undefined && <Button onPress={onCancel}>{cancel}</Button>}
        <a
          className="button quiet"
          href={at('/console/sign-in?again')}
          target="_blank"
          rel="noreferrer"
          onClick={leave}
        >
          {words.otherTab}
        </a>
        <Button onPress={() => void renew('notYet')}>{words.continue}</Button>
      </div>
    </dialog>
  )
}
