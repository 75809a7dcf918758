import { useSyncExternalStore } from 'react'

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
