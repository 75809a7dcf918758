import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Refusal } from '../acts/refusal.tsx'
import { useActs } from '../acts/use-acts.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toasts.tsx'
import { proof } from './proof.ts'
import { type Session, useMessages, useSession } from './session.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { addPasskey, useMethods } from './sign-in-methods.ts'

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
