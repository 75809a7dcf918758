import * as E from 'fp-ts/lib/Either.js'
import { type Refined, refined } from './refined.ts'

/**
 * A codec for decimal numbers without a sign; leading zeros are fine (B4).
 * @param most at most 2^53 - 1, so that every number is exact
 */
export const wholeNumber = <A extends number = number>(
  name: string,
  least: number,
  most: number,
  description: string,
): Refined<A> =>
  refined<A>(
    name,
    (text) => {
      const value = Number(text)
      return /^\d+$/.test(text) && value >= least && value <= most
        ? E.right(value as A)
        : E.left(`must be a whole number from ${least} to ${most}`)
    },
    { type: 'integer', description, minimum: least, maximum: most },
  )
