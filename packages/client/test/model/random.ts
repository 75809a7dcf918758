/** Chance that a seed repeats. */
export interface Random {
  /** Returns a whole number from 0 up to below `end`. */
  readonly below: (end: number) => number
  readonly pick: <A>(list: ReadonlyArray<A>) => A
  /** Picks by weight. */
  readonly weighted: <A>(list: ReadonlyArray<readonly [weight: number, value: A]>) => A
  readonly shuffled: <A>(list: ReadonlyArray<A>) => ReadonlyArray<A>
  /** Returns another source, so that what one user takes changes nothing for the others. */
  readonly fork: () => Random
}

/** Returns the numbers of a seed (mulberry32). */
export const randomOf = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (end: number): number => next() % end
  const pick = <A>(list: ReadonlyArray<A>): A => {
    if (list.length === 0) throw new RangeError('nothing to pick from')
    return list[below(list.length)] as A
  }
  return {
    below,
    pick,
    weighted: (list) => pick(list.flatMap(([weight, value]) => Array.from({ length: weight }, () => value))),
    shuffled: (list) => {
      const rest = [...list]
      return list.map(() => rest.splice(below(rest.length), 1)[0] as (typeof list)[number])
    },
    fork: () => randomOf(next()),
  }
}
