/** Chance that repeats itself: the same seed always tells the same story. */
export type Random = {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number
  readonly between: (low: number, high: number) => number
  /** Either -1 or 1: the side of the picture something goes to. */
  readonly side: () => -1 | 1
  readonly pick: <A>(choices: readonly [A, ...A[]]) => A
}

/** Mulberry32: four lines that scatter well enough for drawing, and need no library. */
const mulberry32 = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const seeded = (seed: number): Random => {
  const next = mulberry32(seed)
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    side: () => (next() < 0.5 ? -1 : 1),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}
