import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'

/** Shows recovery codes, this once. Escape does not close it: only the button does, so that they are not lost by mistake. */
export const RecoveryCodesDialog = ({
  codes,
  onClose,
}: {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}) => {
  const { passwords: words } = useMessages()
  const [isCopied, setCopied] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const copy = () =>
    void navigator.clipboard?.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <dialog
      ref={dialog}
      className="dialog recovery-codes"
      aria-labelledby="codes-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="codes-title">{words.codesTitle}</h2>
      <p>{words.codesText}</p>
      <ul className="codes" aria-label={words.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <span role="status" className="hint">
          {isCopied && words.copied}
        </span>
        <Button onPress={copy}>{words.copy}</Button>
        <Button onPress={() => print()}>{words.print}</Button>
        <Button kind="primary" onPress={onClose}>
          {words.codesDone}
        </Button>
      </div>
    </dialog>
  )
}
