import { useEffect, useRef } from 'react'

/** Whether a key is typed into a field, where it is text. */
const isTyping = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLElement &&
  event.target.closest('input, textarea, select, [contenteditable]') !== null

/** Runs an act for a key of the page. Does nothing while `isOn` is false: single keys must be switchable (WCAG 2.1.4). */
export const useKeys = (acts: Readonly<Record<string, () => void>>, isOn: boolean): void => {
  const latest = useRef(acts)
  latest.current = acts
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[event.key.toLowerCase()]
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isOn])
}
