/** A number that another one takes the place of once data may have changed. */
export interface Version {
  /** As the engine's `version`. */
  present(): number
  /** Says that this process has changed something. */
  advance(): void
}

/**
 * Counts this process's changes and looks for those of others, once a turn of the event loop: whoever was told of a change before
 * asking here finds it counted, and a burst of questions costs one look.
 * @param look a value that another one takes the place of when another process has written; it may throw
 */
export const makeVersion = (look: () => unknown): Version => {
  let count = 0
  let known: unknown
  let looked = false

  /** A file that cannot be looked at may have changed. */
  const found = (): unknown => {
    try {
      return look()
    } catch {
      return Symbol('unknown')
    }
  }

  return {
    present: () => {
      if (looked) return count
      looked = true
      setImmediate(() => {
        looked = false
      })
      const value = found()
      if (value !== known) count += 1
      known = value
      return count
    },
    advance: () => {
      count += 1
    },
  }
}
