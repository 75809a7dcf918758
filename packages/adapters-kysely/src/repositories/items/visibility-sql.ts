import type { LibraryQuery, Sight } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition } from '../../database/conditions.ts'

/**
 * `maySee` in SQL, without the embargo (A3). The values are literals: an engine uses a partial index only if the statement's text implies the
 * condition of the index.
 */
const sightConditions = (sight: Sight): ReadonlyArray<Condition> => {
  if (sight.kind === 'everything') return []
  const live = condition("status = 'Live'")
  return sight.restricted ? [live] : [live, condition('restricted = 0')]
}

/** The conditions that the queries of both content types have. */
export const itemConditions = ({ sight, lang }: LibraryQuery): ReadonlyArray<Condition> => [
  ...sightConditions(sight),
  ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
]
