import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import type { TextPlace } from '../../portfolio/places.ts'
import type { Introduction } from '../../portfolio/texts.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { Language } from '../../values/language.ts'
import { EVERYTHING, type Listing } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'

/** Parameters of GET /portfolio/organization/introduction. */
export const ListIntroductions = parameters({
  name: 'ListIntroductions',
  required: { id: OrganizationId },
  optional: { lang: Language },
})
export type ListIntroductions = typeof ListIntroductions._A

/** The introductions of an organization, in one language or in all (H3). */
export const makeListIntroductions =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { id, lang }: ListIntroductions,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Introduction, TextPlace>> =>
    guarded('listIntroductions', caller, () =>
      ports.portfolio.introductions({ organization: id, lang: O.fromNullable(lang) }, EVERYTHING),
    )
