import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import { type NamedTextFinding, namedTextFindings } from '../../portfolio/text-findings.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { parameters } from '../../values/parameters.ts'

/** Parameters of GET /portfolio/findings. */
export const ListTextFindings = parameters({
  name: 'ListTextFindings',
  required: {},
  optional: { organizationId: OrganizationId },
})
export type ListTextFindings = typeof ListTextFindings._A

/** Lists the texts that lack a language or their highlight: of the whole portfolio, or of one organization (H1). */
export const makeListTextFindings =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { organizationId }: ListTextFindings,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<NamedTextFinding>> =>
    permitted(
      'listTextFindings',
      caller,
    )(() =>
      pipe(
        ports.portfolio.content(),
        TE.map((content) =>
          namedTextFindings(content).filter(
            ({ finding: { about, id } }) =>
              organizationId === undefined || (about !== 'sector' && id === organizationId),
          ),
        ),
      ),
    )
