import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { OrganizationId, type SectorId } from '../../portfolio/ids.ts'
import type { PortfolioImageName } from '../../portfolio/image.ts'
import type { Sector } from '../../portfolio/sector.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { EVERYTHING, type Listing } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'

/** Parameters of GET /portfolio/organization/sector. */
export const ListOrganizationSectors = parameters({
  name: 'ListOrganizationSectors',
  required: { id: OrganizationId },
  optional: {},
})
export type ListOrganizationSectors = typeof ListOrganizationSectors._A

/** The sectors of an organization by id; none when it is unknown (H3). */
export const makeListOrganizationSectors =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { id }: ListOrganizationSectors,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Sector<PortfolioImageName>, SectorId>> =>
    guarded('listOrganizationSectors', caller, () =>
      ports.portfolio.sectors({ id: O.none, organization: O.some(id) }, EVERYTHING),
    )
