import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { useMessages } from '../session/session.tsx'
import { Button, Icon } from './controls.tsx'

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

/** A message that appears over the page for some seconds. */
interface Toast {
  readonly text: string
  /** What can be done about it, for example undo. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Milliseconds that a message stays: as long as an act can be undone. */
const TOAST_TIME = 10_000

let current: Toast | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const set = (toast: Toast | undefined): void => {
  clearTimeout(timer)
  current = toast
  if (toast !== undefined) timer = setTimeout(hideToast, TOAST_TIME)
  for (const listener of listeners) listener()
}

/** Shows a message in the place of the present one. */
export const showToast = (toast: Toast): void => set(toast)

/** Removes the message. */
const hideToast = (): void => set(undefined)

/** Runs the action of the present message, if it has one. Returns whether it had. */
export const runToastAction = (): boolean => {
  const action = current?.action
  if (action === undefined) return false
  set(undefined)
  action.run()
  return true
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place where messages appear. Screen readers read them when they come. */
export const ToastRegion = () => {
  const messages = useMessages()
  const toast = useSyncExternalStore(subscribe, () => current)
  return (
    <div className="toasts" role="status">
      {toast !== undefined && (
        <div className="toast">
          <span>{toast.text}</span>
          {toast.action !== undefined && (
            <Button kind="quiet" onPress={runToastAction}>
              <Icon name="undo" />
              {toast.action.label}
            </Button>
          )}
          <Button kind="quiet" aria-label={messages.close} onPress={hideToast}>
            <Icon name="close" />
          </Button>
        </div>
      )}
    </div>
  )
}
