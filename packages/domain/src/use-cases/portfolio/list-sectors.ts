import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { SectorId } from '../../portfolio/ids.ts'
import type { PortfolioImageName } from '../../portfolio/image.ts'
import type { Sector } from '../../portfolio/sector.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { EVERYTHING, type Listing } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'

/** Parameters of GET /portfolio/sector. */
export const ListSectors = parameters({
  name: 'ListSectors',
  required: {},
  optional: { sectorId: SectorId },
})
export type ListSectors = typeof ListSectors._A

/** All sectors by id, or the one asked for; none when it is unknown (H3). */
export const makeListSectors =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { sectorId }: ListSectors,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Sector<PortfolioImageName>, SectorId>> =>
    guarded('listSectors', caller, () =>
      ports.portfolio.sectors({ id: O.fromNullable(sectorId), organization: O.none }, EVERYTHING),
    )
