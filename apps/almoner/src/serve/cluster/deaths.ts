/** The moments at which workers in one place have died lately: within a minute, in milliseconds. */
export type Deaths = ReadonlyArray<number>

const MINUTE = 60_000

/** Deaths in one place within a minute that make it hopeless. */
const MOST = 10

/** The first wait, in milliseconds, and the longest. A signal to the whole group must reach the primary before it is over. */
const [SHORTEST, LONGEST] = [100, 10_000]

/** One more death, with those before it that still count. */
export const withDeath = (earlier: Deaths, now: number): Deaths => [
  ...earlier.filter((moment) => now < moment + MINUTE),
  now,
]

/** Whether there were so many that another worker would die too. */
export const isHopeless = (deaths: Deaths): boolean => deaths.length >= MOST

/** How long a place stays empty after the latest of these deaths, in milliseconds: twice as long each time. */
export const emptyFor = (deaths: Deaths): number => Math.min(SHORTEST * 2 ** (deaths.length - 1), LONGEST)
