import type { ItemFilters, ItemQuery, Visibility } from '@almoner/domain/library'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition } from '../../database/conditions.ts'
import type { ItemDate } from '../../database/search-index.ts'
import { flag } from '../../schema/columns.ts'

/**
 * `isVisible` in SQL, without the embargo (A3). The values are literals: an engine uses a partial index only if the statement's text implies the
 * condition of the index.
 */
const visibilityConditions = (visibility: Visibility): ReadonlyArray<Condition> => {
  if (visibility.kind === 'everything') return []
  const live = condition("status = 'Live'")
  return visibility.restricted ? [live] : [live, condition('restricted = 0')]
}

/** The filters whose values are few, as literals (J1). Words, labels and dates are not among them. */
const filterConditions = ({ status, isDonorRestricted }: ItemFilters<ItemDate>): ReadonlyArray<Condition> => [
  ...(O.isSome(status) ? [condition(`status = '${status.value}'`)] : []),
  ...(O.isSome(isDonorRestricted) ? [condition(`restricted = ${flag(isDonorRestricted.value)}`)] : []),
]

const lowerBound = (date: string, { from }: ItemFilters<ItemDate>): ReadonlyArray<Condition> =>
  O.isSome(from) ? [condition(`${date} >= ?`, from.value)] : []

/** The conditions that the queries of both content types have. `date` is the column that orders the items. */
export const itemConditions = (
  { visibility, lang, filters }: ItemQuery,
  date: string,
): ReadonlyArray<Condition> => [
  ...visibilityConditions(visibility),
  ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
  ...(filters === undefined ? [] : [...filterConditions(filters), ...lowerBound(date, filters)]),
]

/** Returns the lower of two upper bounds. */
export const lowest = <K extends ItemDate>(a: O.Option<K>, b: O.Option<K>): O.Option<K> => {
  if (O.isNone(a)) return b
  return O.isNone(b) || a.value < b.value ? a : b
}
