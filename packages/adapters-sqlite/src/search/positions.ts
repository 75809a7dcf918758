import type { ItemDate } from '@almoner/adapters-kysely'

/** Items that a block of positions holds: two to the power of this. */
export const BLOCK_BITS = 24

/** Days from the first day of year 0 to that of 1970. */
const YEAR_0 = 719_528
const DAY = 86_400_000

/** The last block: with its bits, a position stays below 2^63. */
const LAST = 2 ** 38 - 1

/**
 * Returns the number of the block of positions for items of a date: a day of the library, a second of the feed. It never falls when the date
 * rises. Dates beyond the range share the first or the last block, inside of which items are sorted anyway.
 */
export const blockOf = (date: ItemDate): number => {
  const block = typeof date === 'string' ? Date.parse(date) / DAY + YEAR_0 : Math.floor(date / 1000)
  return Math.min(Math.max(block, 0), LAST)
}
