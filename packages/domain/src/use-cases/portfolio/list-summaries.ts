import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import type { TextPlace } from '../../portfolio/places.ts'
import type { Summary } from '../../portfolio/texts.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { Language } from '../../values/language.ts'
import { EVERYTHING, type Listing } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'

/** Parameters of GET /portfolio/organization/summary. */
export const ListSummaries = parameters({
  name: 'ListSummaries',
  required: { id: OrganizationId },
  optional: { lang: Language },
})
export type ListSummaries = typeof ListSummaries._A

/** The summaries of an organization, in one language or in all (H3). */
export const makeListSummaries =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { id, lang }: ListSummaries,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Summary, TextPlace>> =>
    guarded('listSummaries', caller, () =>
      ports.portfolio.summaries({ organization: id, lang: O.fromNullable(lang) }, EVERYTHING),
    )
