import pLimit from 'p-limit'

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

/** How many work at once, and how many may wait. */
export interface SlotLimits {
  readonly atOnce: number
  readonly waiting: number
}

export const makeSlots = ({ atOnce, waiting }: SlotLimits): Slots => {
  const limit = pLimit(atOnce)
  return {
    take: async () => {
      if (limit.activeCount + limit.pendingCount >= atOnce + waiting)
        throw new NoSlot('Too many uploads are waiting.')
      return new Promise((granted) => {
        // The turn lasts until whoever got it says that it is done.
        void limit(() => new Promise<void>((done) => granted(done)))
      })
    },
  }
}
