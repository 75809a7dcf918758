import {
  comparePublications,
  matchesPublication,
  publicationCursor,
  publicationOf,
} from '@almoner/domain/content'
import type { Translations } from '@almoner/domain/ports'
import type { ItemId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Tables } from './tables.ts'
import { paginate } from './values.ts'

/** Publications in memory: filtered and ordered by the domain's own rules (J7). */
export const memoryPublications = ({
  library,
  attached,
  counterparts,
  bases,
}: Tables): Pick<Translations, 'publications'> => {
  const counterpartOf = (id: ItemId) => library.get(counterparts.get(id) ?? id)
  const isOlder = (id: ItemId): boolean => bases.has(counterparts.get(id) ?? id)
  return {
    publications: (query, { lim, isCounted, ...window }) =>
      TE.fromIO(() => {
        const compare = comparePublications(query.order)
        const all = [...library.values()].flatMap((item) => {
          const other = counterpartOf(item.id)
          const publication = publicationOf(item, other === item ? undefined : other)
          return publication.sides[0] === item ? [publication] : []
        })
        const matching = all.filter(
          matchesPublication(query, (id) => attached.library.get(id) ?? new Set(), isOlder),
        )
        const cursor = (one: (typeof matching)[number]) => publicationCursor(query.order, one)
        const ordered = matching.toSorted((a, b) => compare(cursor(a), cursor(b)))
        const { loaded = [], next } = paginate(ordered, { ...window, lim: O.some(lim) }, cursor, compare)
        return { publications: loaded, next, ...(isCounted && { total: matching.length }) }
      }),
  }
}
