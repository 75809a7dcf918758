import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import { AfterChallenge, type ChallengePlace } from '../../portfolio/places.ts'
import type { Challenge } from '../../portfolio/texts.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { Language } from '../../values/language.ts'
import { ignoringLoneOffset, Lim, type Listing, Offset } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'
import { windowOf } from '../window-of.ts'

/** Parameters of GET /portfolio/organization/challenge. */
export const ListChallenges = parameters({
  name: 'ListChallenges',
  required: { id: OrganizationId },
  optional: { lim: Lim, offset: Offset, lang: Language, after: AfterChallenge },
  prepare: ignoringLoneOffset,
})
export type ListChallenges = typeof ListChallenges._A

/** The challenges of an organization by number; `lim` applies to all languages together (H2, H3). */
export const makeListChallenges =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    asked: ListChallenges,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Challenge, ChallengePlace>> =>
    guarded('listChallenges', caller, () =>
      ports.portfolio.challenges(
        { organization: asked.id, lang: O.fromNullable(asked.lang) },
        windowOf(asked),
      ),
    )
