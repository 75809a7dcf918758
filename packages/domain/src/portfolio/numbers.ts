import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type Branded, integer, refined } from '../values/refined.ts'

/** A year of the calendar. */
export const Year = integer('Year', 1, 9999, 'Year.')

const Whole = integer('Amount', 0, Number.MAX_SAFE_INTEGER, 'Amount.')

/** A number as spreadsheets show it in French and other languages: groups of three digits with spaces between them. */
const GROUPED = /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+$/u

/** How many, or how much. Takes spaces between groups of three digits too. */
export const Amount = refined<number>(
  'Amount',
  (text) =>
    E.mapLeft(([error]: t.Errors) => error?.message ?? 'must be a whole number')(
      Whole.decode(GROUPED.test(text) ? text.replaceAll(/\s/gu, '') : text),
    ),
  Whole.facets,
)

export type Currency = Branded<string, 'Currency'>

const CURRENCY = /^[A-Z]{3}$/

/** A currency code as ISO 4217 writes them. */
export const Currency = refined<Currency>(
  'Currency',
  (text) => (CURRENCY.test(text) ? E.right(text as Currency) : E.left('must be three capital letters')),
  { type: 'string', description: 'Currency code.', pattern: CURRENCY.source, example: 'EUR' },
)
