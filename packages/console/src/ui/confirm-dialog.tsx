import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../app/session.tsx'
import { Button } from './button.tsx'

/** Asks before an act that changes much. Opens when it is rendered; Escape cancels. */
export const ConfirmDialog = ({
  title,
  confirm,
  onConfirm,
  onCancel,
  children,
}: {
  readonly title: string
  /** The words of the button that acts. */
  readonly confirm: string
  readonly onConfirm: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}) => {
  const { cancel } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      {children}
      <div className="actions">
        <Button onPress={onCancel}>{cancel}</Button>
        <Button kind="primary" onPress={onConfirm}>
          {confirm}
        </Button>
      </div>
    </dialog>
  )
}
