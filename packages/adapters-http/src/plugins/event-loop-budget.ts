/** Milliseconds of refusing after which answering begins again, though the turn has not ended: or nobody would be answered in it. */
const REFUSING = 100

/** How the work of one turn of the event loop is bounded. */
export interface Turn {
  /** Whether one more request may be answered in this turn. */
  readonly hasRoom: () => boolean
}

/**
 * Bounds the time for which requests are answered in one turn of the event loop, during which all that have come meanwhile wait. Nothing
 * else tells as soon that there are more than can be answered: each is answered as soon as it is read, and the rest waits unseen in the
 * kernel. `most` and `now` are in milliseconds; `atItsEnd` calls back when all that had come before the turn has been seen.
 */
export const makeTurn = (most: number, now: () => number, atItsEnd: (ended: () => void) => unknown): Turn => {
  let begun: number | undefined
  return {
    hasRoom: () => {
      const time = now()
      if (begun === undefined) {
        begun = time
        atItsEnd(() => {
          begun = undefined
        })
        return true
      }
      if (time - begun < most) return true
      if (time - begun < most + REFUSING) return false
      begun = time
      return true
    },
  }
}
