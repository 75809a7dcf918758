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

/** Is due once in this number of milliseconds. `now` is a monotonic clock in milliseconds. */
export const onceIn = (milliseconds: number, now: () => number): IsDue => {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const present = now()
    if (present - last < milliseconds) return false
    last = present
    return true
  }
}

/** Returns the result of `look`, or a unique value if it throws: an unreadable file may have changed. */
export const valueOrUnknown = (look: () => unknown): unknown => {
  try {
    return look()
  } catch {
    return Symbol('unknown')
  }
}

/**
 * Counts this process's changes, and checks for those of others when that is due. With one check per event-loop iteration, a caller that has
 * heard of a change finds it counted.
 * @param look returns a value that changes when another process has written; may throw
 */
export const makeVersion = (look: () => unknown, isDue: IsDue): Version => {
  let count = 0
  /** The number of changes that left all permissions unchanged. */
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
