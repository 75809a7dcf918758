import type { Versioned, WriteOptions } from '@almoner/adapters-kysely'

/** Numbers that change once data or permissions may have changed. */
export interface Version {
  /** As the database's `version`. */
  of(what: Versioned): number
  /** Takes in that this process has committed writes that notify of this. */
  advance(notify: ReadonlyArray<WriteOptions['notify']>): void
}

/** Whether it is time for something that is to be done now and then. */
export type IsDue = () => boolean

/**
 * Is due once in an event-loop iteration, which ends with the next poll: between two calls in one iteration no request and no response to another
 * process's write can have arrived. `setImmediate` cannot detect this, because its callbacks may run past the next poll.
 */
export const onceAnIteration = (): IsDue => {
  let last: number | undefined
  return () => {
    const iteration = performance.nodeTiming.uvMetricsInfo.loopCount
    if (iteration === last) return false
    last = iteration
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
 * Counts this process's changes, and looks for those of others when that is due: a burst of questions costs one look. Where that is once an
 * iteration of the event loop, a client that has the answer to a write by another process, and then asks here, finds it counted.
 * @param look a value that changes when another process has written; it may throw
 */
export const makeVersion = (look: () => unknown, isDue: IsDue): Version => {
  let count = 0
  /** How many of the changes left all permissions as they were. */
  let ofContent = 0
  let known: unknown

  const takeInOthers = (): void => {
    if (!isDue()) return
    const value = valueOrUnknown(look)
    if (value !== known) count += 1
    known = value
  }

  return {
    of: (what) => {
      takeInOthers()
      return what === 'data' ? count : count - ofContent
    },
    advance: (notify) => {
      const changes = notify.filter((one) => one !== 'none')
      if (changes.length === 0) return
      count += 1
      if (changes.every((one) => one === 'content')) ofContent += 1
    },
  }
}
