import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isCharacter, type ShortcutArea, type ShortcutName, shortcutOf } from './shortcuts.ts'

/** Where the browser remembers that shortcuts of a single character are switched off. */
const SETTING = 'almoner.shortcuts'

const listeners = new Set<() => void>()

/** Whether shortcuts of a single character work in this browser (WCAG 2.1.4). They do unless the person has switched them off. */
export const shortcutSetting = {
  isOn: (): boolean => localStorage.getItem(SETTING) !== 'off',
  set: (isOn: boolean): void => {
    localStorage.setItem(SETTING, isOn ? 'on' : 'off')
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Returns whether shortcuts of a single character work, and renders again when that changes. */
export const useCharacterShortcuts = (): boolean =>
  useSyncExternalStore(shortcutSetting.subscribe, shortcutSetting.isOn)

/** Fields in which keys are text. */
const TYPED = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]'

/** Whether a key press is text in a field, or belongs to an open dialog. */
const isTaken = ({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
  if (document.querySelector('dialog[open]') !== null) return true
  const isText = isCharacter(key) && !ctrlKey && !metaKey
  return isText && target instanceof HTMLElement && target.closest(TYPED) !== null
}

/** What the shortcuts of an area do. One that has no act at present does nothing. */
type ShortcutActs<Area extends ShortcutArea> = Readonly<
  Partial<Record<ShortcutName<Area>, (() => void) | undefined>>
>

/** Runs the acts of an area's shortcuts while a component is shown, wherever the focus is. */
export const useShortcuts = <Area extends ShortcutArea>(area: Area, acts: ShortcutActs<Area>): void => {
  const latest = useRef(acts)
  latest.current = acts
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event)) return
      const name = shortcutOf(area, event, shortcutSetting.isOn())
      const act = name && latest.current[name]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [area])
}
