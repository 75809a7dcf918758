import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from '../values/brand.ts'
import { integer, refined } from '../values/refined.ts'

/** A year of the calendar. */
export const Year = integer('Year', 1, 9999, 'Year.')

/** How many, or how much. */
export const Amount = integer('Amount', 0, Number.MAX_SAFE_INTEGER, 'Amount.')

export type Currency = Branded<string, 'Currency'>

const CURRENCY = /^[A-Z]{3}$/

/** A currency code as ISO 4217 writes them. */
export const Currency = refined<Currency>(
  'Currency',
  (text) => (CURRENCY.test(text) ? E.right(text as Currency) : E.left('must be three capital letters')),
  { type: 'string', description: 'Currency code.', pattern: CURRENCY.source, example: 'EUR' },
)
