import type * as t from 'io-ts'

/** A whole number as the codecs of answers have it; the domain counts in nothing else. */
export const whole = (count: number): t.Int => count as t.Int
