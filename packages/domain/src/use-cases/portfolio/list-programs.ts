import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import { AfterText, type TextPlace } from '../../portfolio/places.ts'
import type { Program } from '../../portfolio/texts.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { Language } from '../../values/language.ts'
import { ignoringLoneOffset, Lim, type Listing, Offset } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'
import { windowOf } from '../window-of.ts'

/** Parameters of GET /portfolio/organization/program. */
export const ListPrograms = parameters({
  name: 'ListPrograms',
  required: { id: OrganizationId },
  optional: { lim: Lim, offset: Offset, lang: Language, after: AfterText },
  prepare: ignoringLoneOffset,
})
export type ListPrograms = typeof ListPrograms._A

/** The programs of an organization; `lim` applies to all languages together (H2, H3). */
export const makeListPrograms =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    asked: ListPrograms,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Program, TextPlace>> =>
    guarded('listPrograms', caller, () =>
      ports.portfolio.programs({ organization: asked.id, lang: O.fromNullable(asked.lang) }, windowOf(asked)),
    )
