import { type Cursor, compareCursors } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'

/** Blocks grow with new items; a block of this multiple of its first size causes a new count. */
const UNEVEN = 4

/** The position of an offset: a cursor, and the remaining offset after it. */
export interface Located<K extends string | number> {
  readonly after: O.Option<Cursor<K>>
  readonly offset: number
}

/** Counts of the places between some places of an order (C3): the place of a rank is found without passing over all before it. */
export interface PlaceCounts<K extends string | number> {
  locate(rank: number): Located<K>
  /** Adds a place that came, or takes away one that went. */
  add(place: Cursor<K>, by: 1 | -1): void
  /** Whether a block has grown until offsets in it are slow. */
  isUneven(): boolean
}

/**
 * Makes the counts of an order in which every `size`-th place is one of the bounds, in their order.
 * @param size places from one bound to the next, its own included
 */
export const makePlaceCounts = <K extends string | number>(
  bounds: ReadonlyArray<Cursor<K>>,
  size: number,
): PlaceCounts<K> => {
  // The last count is of places behind the last bound: only how it changes is known.
  const counts = [...bounds.map(() => size), 0]
  let isUneven = false

  const blockOf = (place: Cursor<K>): number => {
    let [low, high] = [0, bounds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const bound = bounds[middle]
      if (bound !== undefined && compareCursors(place, bound) > 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    locate: (rank) => {
      let [at, offset] = [0, rank]
      for (; at < bounds.length; at += 1) {
        const count = counts[at] ?? 0
        if (offset < count) break
        offset -= count
      }
      return { after: O.fromNullable(bounds[at - 1]), offset }
    },
    add: (place, by) => {
      const at = blockOf(place)
      const count = (counts[at] ?? 0) + by
      counts[at] = count
      if (count > UNEVEN * size) isUneven = true
    },
    isUneven: () => isUneven,
  }
}
