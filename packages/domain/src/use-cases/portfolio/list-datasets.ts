import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { Dataset } from '../../portfolio/dataset.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import { Year } from '../../portfolio/numbers.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { EVERYTHING, type Listing } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'

/** Parameters of GET /portfolio/organization/datasets. */
export const ListDatasets = parameters({
  name: 'ListDatasets',
  required: { id: OrganizationId },
  optional: { year: Year },
})
export type ListDatasets = typeof ListDatasets._A

/** The figures of an organization by year, or those of one year (H2, H3). */
export const makeListDatasets =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { id, year }: ListDatasets,
  ): TE.TaskEither<InsufficientScope | Unavailable, Listing<Dataset, number>> =>
    guarded('listDatasets', caller, () =>
      ports.portfolio.datasets({ organization: id, year: O.fromNullable(year) }, EVERYTHING),
    )
