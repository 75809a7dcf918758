import { comparePlaces, type Place } from '@almoner/domain'
import type { Start } from '../items/start.ts'

/** Blocks that an index has at most; with more, two become one. Each takes some 150 bytes. */
const BLOCKS = 16_384

/** Where a block begins: none for the first, which takes in whatever comes before the second. */
export type Bound<K extends string | number> = Place<K> | undefined

/** The start of what comes in a block and behind it. */
export const startAt = <K extends string | number>(bound: Bound<K>): Start<K> =>
  bound === undefined ? { kind: 'top' } : { kind: 'at', place: bound }

/** A block, and how many places there are ahead of it. */
export interface Block<K extends string | number> {
  readonly number: number
  readonly bound: Bound<K>
  readonly count: number
  readonly ahead: number
}

/**
 * An ordered collection of places as counted blocks of neighbours. It knows where blocks begin and how much is in them, which says in
 * which block a rank is; the places themselves are in the database.
 */
export interface PlaceIndex<K extends string | number> {
  /** How many places a block should have; one of more than twice as many should be split. */
  size(): number
  /** Appends a block behind the last. */
  append(bound: Bound<K>, count: number): void
  /** The block that has this rank; the last one when there is no such rank. */
  atRank(rank: number): Block<K>
  /** The last block whose bound this holds of, which holds of all bounds up to some place; the first if there is none. */
  lastBlock(begins: (bound: Place<K>) => boolean): Block<K>
  /** Counts a place in or, with -1, out. */
  count(place: Place<K>, by: 1 | -1): void
  /** A block that should be split. */
  oversize(): Block<K> | undefined
  /** Lets a block end after so many places, before this one. */
  split(block: Block<K>, bound: Place<K>, count: number): void
}

/** An index without blocks, whose blocks should begin with this size. */
export const makePlaceIndex = <K extends string | number>(
  first: number,
  most: number = BLOCKS,
): PlaceIndex<K> => {
  let size = first
  let bounds: Array<Bound<K>> = []
  let counts: Array<number> = []
  /** How many places are ahead of each block; right for as many blocks as `summed` says. */
  const ahead: Array<number> = []
  let summed = 0

  const touched = (block: number) => {
    summed = Math.min(summed, block + 1)
  }

  const sum = () => {
    if (summed === 0 && counts.length > 0) {
      ahead[0] = 0
      summed = 1
    }
    for (; summed < counts.length; summed += 1)
      ahead[summed] = (ahead[summed - 1] ?? 0) + (counts[summed - 1] ?? 0)
  }

  const block = (number: number): Block<K> => {
    sum()
    return { number, bound: bounds[number], count: counts[number] ?? 0, ahead: ahead[number] ?? 0 }
  }

  /** The last number of which something holds, that holds of 0 and of none behind one of which it does not. */
  const last = (holds: (number: number) => boolean): number => {
    let [low, high] = [0, counts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (holds(middle)) low = middle
      else high = middle - 1
    }
    return low
  }

  const lastNumber = (begins: (bound: Place<K>) => boolean): number =>
    last((number) => {
      const bound = bounds[number]
      return bound === undefined || begins(bound)
    })

  const coalesce = () => {
    size *= 2
    const pairs = counts.map((count, n) => count + (counts[n + 1] ?? 0))
    counts = pairs.filter((_, n) => n % 2 === 0)
    bounds = bounds.filter((_, n) => n % 2 === 0)
    summed = 0
  }

  const insert = (at: number, bound: Bound<K>, count: number) => {
    bounds.splice(at, 0, bound)
    counts.splice(at, 0, count)
    touched(at - 1)
    if (counts.length > most) coalesce()
  }

  /** A block and the next become one when there is little left in both. */
  const mend = (number: number) => {
    const next = counts[number + 1]
    const count = counts[number]
    if (count === undefined || next === undefined || count + next > size / 2) return
    counts[number] = count + next
    counts.splice(number + 1, 1)
    bounds.splice(number + 1, 1)
    touched(number)
  }

  return {
    size: () => size,
    append: (bound, count) => insert(counts.length, bound, count),
    atRank: (rank) => {
      sum()
      return block(last((number) => (ahead[number] ?? 0) <= rank))
    },
    lastBlock: (begins) => block(lastNumber(begins)),
    count: (place, by) => {
      const number = lastNumber((bound) => comparePlaces(bound, place) <= 0)
      counts[number] = (counts[number] ?? 0) + by
      touched(number)
      if (by < 0) for (const one of [number, number - 1]) mend(one)
    },
    oversize: () => {
      const number = counts.findIndex((count) => count > 2 * size)
      return number < 0 ? undefined : block(number)
    },
    split: ({ number }, bound, count) => {
      const whole = counts[number] ?? 0
      counts[number] = count
      insert(number + 1, bound, whole - count)
    },
  }
}
