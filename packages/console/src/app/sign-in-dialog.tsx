import { ApiError } from '@almoner/client'
import { type SubmitEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { at } from '../paths.ts'
import { useActs } from '../session/answers.ts'
import { proof, sessionApi, sessionEnd } from '../session/api.ts'
import { readSession, type Session, useMessages, useSession } from '../session/session.tsx'
import { addPasskey, type Methods, useMethods } from '../session/sign-in-methods.ts'
import { askForPasskey, onSignInElsewhere, tokenOf } from '../sign-in/credentials.ts'
import { Button } from '../ui/controls.tsx'
import { showToast } from '../ui/overlays.tsx'
import { Refusal } from '../ui/problem.tsx'

/** Asks for the password and a code of a person whose address is known. */
const PasswordForm = ({
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
const SignInDialog = ({
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

/** Offers a passkey to a person who has just signed in by a link and has no other way, so that the next proof needs no link (M10). */
const PasskeyOffer = ({ onDone }: { readonly onDone: () => void }) => {
  const { presence, passkeys } = useMessages()
  const { refused, isBusy, run } = useActs()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const add = () =>
    void run(addPasskey, () => {
      showToast({ text: passkeys.added })
      onDone()
    })
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="offer-title"
      onCancel={(event) => {
        event.preventDefault()
        onDone()
      }}
    >
      <h2 id="offer-title">{presence.offerTitle}</h2>
      <p>{presence.offerText}</p>
      <Refusal error={refused} />
      <div className="actions">
        <Button onPress={onDone}>{presence.offerSkip}</Button>
        <Button kind="primary" isDisabled={isBusy} onPress={add}>
          {passkeys.add}
        </Button>
      </div>
    </dialog>
  )
}

/** Asks for a proof of presence while a request waits for one. */
export const PresenceDialog = ({ onRenewed }: { readonly onRenewed: (session: Session) => void }) => {
  const { presence } = useMessages()
  const { email } = useSession().session.manager
  const isOpen = useSyncExternalStore(proof.subscribe, proof.isAsked)
  const [isOffered, setOffered] = useState(false)
  const methods = useMethods(isOpen, email)
  const hasOnlyLinks = methods.own?.length === 0
  const signedIn = (session: Session) => {
    onRenewed(session)
    sessionEnd.resume()
    if (hasOnlyLinks && methods.possible.includes('passkey')) setOffered(true)
    else proof.settle(true)
  }
  const goOn = () => {
    setOffered(false)
    proof.settle(true)
  }
  if (isOffered) return <PasskeyOffer onDone={goOn} />
  return (
    <SignInDialog
      isOpen={isOpen}
      title={presence.title}
      text={hasOnlyLinks ? `${presence.text} ${presence.onlyLinks}` : presence.text}
      methods={methods}
      onSignedIn={signedIn}
      onCancel={() => proof.settle(false)}
    />
  )
}

/** Asks for a new sign-in when the session has ended. */
export const SessionEnded = ({
  isOpen,
  onRenewed,
}: {
  readonly isOpen: boolean
  readonly onRenewed: (session: Session) => void
}) => {
  const { endedTitle, endedText } = useMessages().session
  const methods = useMethods(isOpen)
  return (
    <SignInDialog
      isOpen={isOpen}
      title={endedTitle}
      text={endedText}
      methods={methods}
      onSignedIn={onRenewed}
    />
  )
}
