/** The sends that may be without an outcome in the ledger at a time, shared by all batches of a process (G5). */
export interface InFlightLimit {
  /** All places that there are. */
  readonly size: number
  /** Waits for a free permit, and acquires up to `most`. Returns their number; 0 once the limit is closed. */
  acquire(most: number): Promise<number>
  /** Gives places back, once what they were taken for is in the ledger. */
  release(places: number): void
  /** Closes the limit: the ledger cannot be written, and the pushes in flight are the maximum that may be repeated. */
  close(): void
  /** Whether {@link close} was called. */
  isClosed(): boolean
}

/** Creates a limit of this number of pushes in flight, one for a process: it bounds the pushes that a kill repeats (G5). */
export const makeInFlightLimit = (size: number): InFlightLimit => {
  const queue: Array<() => void> = []
  let free = size
  let closed = false
  // All of them look again: the first may leave places for the next.
  const wake = () => {
    for (const next of queue.splice(0)) next()
  }
  return {
    size,
    async acquire(most) {
      while (free === 0 && !closed) await new Promise<void>((resolve) => queue.push(resolve))
      const taken = closed ? 0 : Math.min(free, most)
      free -= taken
      return taken
    },
    release(places) {
      free += places
      wake()
    },
    close() {
      closed = true
      wake()
    },
    isClosed: () => closed,
  }
}
