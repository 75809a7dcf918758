import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import { matchesLibrary } from '../../items/matching.ts'
import { LibraryCursor } from '../../items/queries.ts'
import { type VisibilityPolicy, visibilityFor } from '../../items/visibility.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId } from '../../values/ids.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'
import { includeOf, readLabelMember, readTranslationMember, type WithIncluded } from '../include.ts'
import { FINDING, libraryFilters, listItems } from '../list-items.ts'

const optional = { itemId: ItemId, lim: Lim, offset: Offset, lang: Language, after: LibraryCursor }

/** Parameters of GET /library/<itemId>: without the ones that find items (J1). */
export const GetLibraryItem = parameters({
  name: 'GetLibraryItem',
  required: {},
  optional,
  prepare: dropOffsetWithoutLimit,
})

/** Parameters of GET /library/. */
export const ListLibraryItems = parameters({
  name: 'ListLibraryItems',
  required: {},
  optional: { ...optional, ...FINDING, include: includeOf(['labels', 'translation']) },
  prepare: dropOffsetWithoutLimit,
})
export type ListLibraryItems = typeof ListLibraryItems._A

/** The library as the caller may see it, newest publication first (A3, C3, C4). */
export const makeListLibraryItems =
  (
    ports: Pick<ContentPorts, 'libraryItems' | 'labels' | 'translations' | 'clock'>,
    policy: VisibilityPolicy,
  ) =>
  (
    caller: Caller,
    asked: ListLibraryItems,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<WithIncluded<LibraryItem>, LibraryCursor>> =>
    permitted(
      'listLibraryItems',
      caller,
    )(() => {
      const visibility = visibilityFor(policy, ports.clock, caller)
      const members = {
        labels: () => readLabelMember(ports, 'library'),
        translation: () => readTranslationMember(ports, visibility),
      }
      return listItems(
        ports,
        { contentType: 'library', store: ports.libraryItems, matches: matchesLibrary },
        {
          itemId: O.fromNullable(asked.itemId),
          query: {
            visibility,
            lang: O.fromNullable(asked.lang),
            filters: libraryFilters(asked),
          },
          window: pageRequest(asked),
          include: (asked.include ?? []).map((name) => members[name]()),
          count: asked.count === 'true',
        },
      )
    })
