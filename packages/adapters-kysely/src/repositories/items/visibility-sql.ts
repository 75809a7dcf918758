import type { LibraryQuery, Visibility } from '@almoner/domain/library'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition } from '../../database/conditions.ts'

/**
 * `isVisible` in SQL, without the embargo (A3). The values are literals: an engine uses a partial index only if the statement's text implies the
 * condition of the index.
 */
const visibilityConditions = (visibility: Visibility): ReadonlyArray<Condition> => {
  if (visibility.kind === 'everything') return []
  const live = condition("status = 'Live'")
  return visibility.restricted ? [live] : [live, condition('restricted = 0')]
}

/** The conditions that the queries of both content types have. */
export const itemConditions = ({ visibility, lang }: LibraryQuery): ReadonlyArray<Condition> => [
  ...visibilityConditions(visibility),
  ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
]
