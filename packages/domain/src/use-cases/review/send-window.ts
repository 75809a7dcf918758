/** The sends that may be without an outcome in the ledger at a time, shared by all portions of a process (G5). */
export interface SendWindow {
  /** Waits until a place is free, and takes as many as there are, at most `most`. Gives how many. */
  take(most: number): Promise<number>
  /** Gives places back, once what they were taken for is in the ledger. */
  give(places: number): void
}

export const makeSendWindow = (size: number): SendWindow => {
  const queue: Array<() => void> = []
  let free = size
  return {
    async take(most) {
      while (free === 0) await new Promise<void>((resolve) => queue.push(resolve))
      const taken = Math.min(free, most)
      free -= taken
      return taken
    },
    give(places) {
      free += places
      // All of them look again: the first may leave places for the next.
      for (const next of queue.splice(0)) next()
    },
  }
}
