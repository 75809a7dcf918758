import type { KeyboardEvent } from 'react'

/** The keys that move along a list, and how far. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Moves the focus from title to title. Works only while the focus is in the list. */
export const moveAlong = (event: KeyboardEvent<HTMLElement>): void => {
  const titles = [...event.currentTarget.querySelectorAll<HTMLElement>('a.title')]
  const present = titles.indexOf(document.activeElement as HTMLElement)
  const ends: Readonly<Record<string, number>> = { Home: 0, End: titles.length - 1 }
  const step = STEPS[event.key]
  const next = step === undefined ? ends[event.key] : present + step
  if (next === undefined || titles[next] === undefined || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  titles[next].focus()
}
