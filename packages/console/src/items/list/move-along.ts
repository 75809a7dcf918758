import type { KeyboardEvent } from 'react'
import { shortcutSetting } from '../../app/shortcut-setting.ts'
import { shortcutOf } from '../../app/shortcuts.ts'

/** Returns the position of the row that has the focus; -1 if none has. */
export const focusedRow = (list: HTMLElement): number =>
  [...list.children].findIndex((row) => row.contains(document.activeElement))

/** Moves the focus to a title of a list, if there is one at the position. */
export const focusTitle = (list: HTMLElement, position: number): void =>
  list.querySelectorAll<HTMLElement>('a.title')[position]?.focus()

/** Moves the focus from title to title. Works only while the focus is in the list. */
export const moveAlong = (event: KeyboardEvent<HTMLElement>): void => {
  const list = event.currentTarget
  const present = focusedRow(list)
  const targets: Readonly<Partial<Record<string, number>>> = {
    next: present + 1,
    previous: present - 1,
    first: 0,
    last: list.children.length - 1,
  }
  const target = targets[shortcutOf('list', event, shortcutSetting.isOn()) ?? '']
  if (target === undefined) return
  event.preventDefault()
  focusTitle(list, target)
}
