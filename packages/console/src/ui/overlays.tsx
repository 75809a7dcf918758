import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useMessages } from '../session/session.tsx'
import { useSeen } from '../session/use-seen.ts'
import { Button, Icon, SeenActs } from './controls.tsx'
import { type Box, freePlace, type Obstacle } from './free-place.ts'

/**
 * Asks before an act that changes much. Opens when it is rendered; Escape cancels. The button that acts does nothing before the question has been
 * seen (M12).
 */
export const ConfirmDialog = ({
  title,
  confirm,
  keep,
  isDangerous = false,
  onConfirm,
  onCancel,
  children,
}: {
  readonly title: string
  /** The words of the button that acts: the act and its object. */
  readonly confirm: string
  /** The words of the button that leaves all as it is. */
  readonly keep?: string
  /** Whether the act takes something away, or cannot be taken back. */
  readonly isDangerous?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}) => {
  const words = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const { isSeen, begin, end } = useSeen(title)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      {children}
      <div className="actions">
        <Button onPress={onCancel}>{keep ?? words.keep}</Button>
        <SeenActs isSeen={isSeen}>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            onPressStart={begin}
            onPress={() => {
              if (end()) onConfirm()
            }}
          >
            {confirm}
          </Button>
        </SeenActs>
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
export const hideToast = (): void => set(undefined)

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

/** What a message must not cover. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Bars that stay where they are when the page is scrolled, so that controls below a message could not be reached. */
const BARS = '.main-nav, .shell-header, .editor-actions, .decisions, .bulk-bar'

/** Pixels between a message and other things. */
const DISTANCE = 8

const obstacleOf = (control: Element): Obstacle => {
  const { left, top, width, height } = control.getBoundingClientRect()
  const isFixed = control === document.activeElement || control.closest(BARS) !== null
  return {
    ...{ left: left - DISTANCE, top: top - DISTANCE },
    ...{ width: width + 2 * DISTANCE, height: height + 2 * DISTANCE },
    weight: isFixed ? 1000 : 1,
  }
}

/** Moves a message to a place of the window where it covers no control (M12). */
const place = (toast: HTMLElement): void => {
  const { width, height } = toast.getBoundingClientRect()
  const page =
    document.querySelector('main')?.getBoundingClientRect() ?? document.body.getBoundingClientRect()
  const area: Box = {
    ...{ left: page.left + DISTANCE, top: DISTANCE },
    ...{ width: page.width - 2 * DISTANCE, height: innerHeight - 2 * DISTANCE },
  }
  const obstacles = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !toast.contains(control))
    .map(obstacleOf)
    .filter((box) => box.width > 2 * DISTANCE && box.top < innerHeight && box.top + box.height > 0)
  const { left, top } = freePlace(area, { width, height }, obstacles)
  toast.style.setProperty('left', `${left}px`)
  toast.style.setProperty('top', `${top}px`)
}

/** Keeps a message off the controls of the page while both change. */
const useFreePlace = (toast: Toast | undefined) => {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (toast === undefined) return
    let frame = 0
    const update = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => element.current && place(element.current))
    }
    if (element.current !== null) place(element.current)
    const observer = new MutationObserver(update)
    const main = document.querySelector('main')
    if (main !== null) observer.observe(main, { subtree: true, childList: true })
    for (const event of ['scroll', 'resize', 'focusin', 'load'])
      addEventListener(event, update, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      for (const event of ['scroll', 'resize', 'focusin', 'load'])
        removeEventListener(event, update, { capture: true })
    }
  }, [toast])
  return element
}

/** The place where messages appear. Screen readers read them when they come. */
export const ToastRegion = () => {
  const messages = useMessages()
  const toast = useSyncExternalStore(subscribe, () => current)
  const element = useFreePlace(toast)
  return (
    <div className="toasts" role="status">
      {toast !== undefined && (
        <div className="toast" ref={element}>
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
