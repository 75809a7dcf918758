/** The sends that may be without an outcome in the ledger at a time, shared by all batches of a process (G5). */
export interface InFlightLimit {
  /** All places that there are. */
  readonly size: number
  /** Waits until a place is free, and takes as many as there are, at most `most`. Gives how many: none once it is closed. */
  acquire(most: number): Promise<number>
  /** Gives places back, once what they were taken for is in the ledger. */
  release(places: number): void
  /** Lets nobody take a place any more: the ledger cannot be written, and what is out is as much as may be sent twice. */
  close(): void
  /** Whether {@link close} was called. */
  isClosed(): boolean
}

/** A window of so many places, all free. One a process: the places are what a kill may send twice (G5). */
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
