/** What an identifier begins with: its millisecond, and a number of 32 bits that tells those of one millisecond apart. */
export interface Place {
  readonly msecs: number
  readonly seq: number
}

const LAST = 2 ** 32 - 1

/**
 * The place behind another one: at the present millisecond, beginning with `start`. Within a millisecond, and while the clock stands before
 * the latest one used, it counts up, and at the end of that the millisecond itself.
 */
export const following = ({ msecs, seq }: Place, now: number, start: number): Place => {
  if (now > msecs) return { msecs: now, seq: start }
  return seq === LAST ? { msecs: msecs + 1, seq: 0 } : { msecs, seq: seq + 1 }
}
