import type { Manner } from '@almoner/adapters-kysely'
import { turnOfLoop } from './loop-iteration.ts'

/** Numbers that others take the place of once data may have changed. */
export interface Version {
  /** As the database's `version`. */
  present(): number
  /** As the database's `accessVersion`. */
  ofAccess(): number
  /** Says that this process has written in such manners. */
  advance(manners: ReadonlyArray<Manner | undefined>): void
}

/** Whether it is time for something that is to be done now and then. */
export type IsDue = () => boolean

/** Once in a turn of the event loop. */
export const onceATurn = (): IsDue => {
  let last: number | undefined
  return () => {
    const turn = turnOfLoop()
    if (turn === last) return false
    last = turn
    return true
  }
}

/** Once in so many milliseconds. `now` tells the time in milliseconds of a clock that is never put back. */
export const onceIn = (milliseconds: number, now: () => number): IsDue => {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const present = now()
    if (present - last < milliseconds) return false
    last = present
    return true
  }
}

/** Returns what `look` returns; where it throws, a value of its own: a file that cannot be read may have changed. */
export const valueOrUnknown = (look: () => unknown): unknown => {
  try {
    return look()
  } catch {
    return Symbol('unknown')
  }
}

/**
 * Counts this process's changes and looks for those of others when that is due: a burst of questions costs one look. Where that is once a
 * turn of the event loop, whoever was told of a change before asking here finds it counted.
 * @param look a value that another one takes the place of when another process has written; it may throw
 */
export const makeVersion = (look: () => unknown, isDue: IsDue): Version => {
  let count = 0
  /** How many of them left everybody's rights as they were. */
  let ofContent = 0
  let known: unknown

  const present = () => {
    if (!isDue()) return count
    const value = valueOrUnknown(look)
    if (value !== known) count += 1
    known = value
    return count
  }

  return {
    present,
    ofAccess: () => present() - ofContent,
    advance: (manners) => {
      const loud = manners.filter((manner) => manner !== 'quiet')
      if (loud.length === 0) return
      count += 1
      if (loud.every((manner) => manner === 'content')) ofContent += 1
    },
  }
}
