import { useEffect, useRef, useState } from 'react'
import { at } from '../../paths.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import type { SignInLink } from './managers-api.ts'

/** Shows a sign-in link, which cannot be shown again. Closes by its button only. */
export const LinkDialog = ({
  link,
  onClose,
}: {
  readonly link: SignInLink
  readonly onClose: () => void
}) => {
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
