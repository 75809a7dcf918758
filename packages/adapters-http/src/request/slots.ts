/** Too many wait already. */
export class NoSlot extends Error {
  readonly statusCode = 503
  override readonly name = 'NoSlot'
}

/** Lets a few work at once and a bounded number wait their turn. */
export interface Slots {
  /** Resolves when it is one's turn, with what to call when done. Rejects with {@link NoSlot} when too many wait. */
  take(): Promise<() => void>
}

export const makeSlots = (atOnce: number, waiting: number): Slots => {
  const queue: Array<() => void> = []
  let free = atOnce
  const release = () => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }
  const once = () => {
    let released = false
    return () => {
      if (!released) release()
      released = true
    }
  }
  return {
    take: async () => {
      if (free > 0) {
        free -= 1
        return once()
      }
      if (queue.length >= waiting) throw new NoSlot('Too many uploads are waiting.')
      await new Promise<void>((resolve) => queue.push(resolve))
      return once()
    },
  }
}
