import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { PortfolioImageName } from '../../media/portfolio-images.ts'
import { OrganizationCursor } from '../../portfolio/cursors.ts'
import { NameWords } from '../../portfolio/folding.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import { Year } from '../../portfolio/numbers.ts'
import type { Organization } from '../../portfolio/organization.ts'
import type { PortfolioPolicy, PortfolioPorts } from '../../ports/of-portfolio.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../../values/page.ts'
import {
  countsAsAbsent,
  parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { joinedFaults } from './joined-years.ts'

/** Beside `id` an `offset` counts whether or not `lim` is there, because it is refused (H2). */
const prepare = (raw: RawParameters): RawParameters =>
  countsAsAbsent(raw['id'], OrganizationId) ? dropOffsetWithoutLimit(raw) : raw

/** One that is not even well formed has been named already. */
const notWithId = (field: string, codec: typeof Lim) => ({
  field,
  message: 'must not be combined with id',
  unmet: ({ id, [field]: value }: Readonly<Record<string, string>>) => id !== undefined && codec.is(value),
})

/** Parameters of GET /portfolio/organization. */
export const ListOrganizations = parameters({
  name: 'ListOrganizations',
  required: {},
  optional: {
    name: NameWords,
    joined: Year,
    lim: Lim,
    offset: Offset,
    id: OrganizationId,
    after: OrganizationCursor,
  },
  conditions: [notWithId('lim', Lim), notWithId('offset', Offset)],
  prepare,
})
export type ListOrganizations = typeof ListOrganizations._A

/** The organizations that all filters allow, by id; Invalid when `joined` is no year of the portfolio (H2, H3). */
export const makeListOrganizations =
  (ports: Pick<PortfolioPorts, 'portfolio'>, policy: Pick<PortfolioPolicy, 'joinedYears'>) =>
  (
    caller: Caller,
    asked: ListOrganizations,
  ): TE.TaskEither<
    InsufficientScope | ValidationFailed | Unavailable,
    ResultSet<Organization<PortfolioImageName>, OrganizationId>
  > =>
    permitted(
      'listOrganizations',
      caller,
    )(() => {
      const [outside] = joinedFaults(policy, asked.joined)
      return outside !== undefined
        ? TE.left<ValidationFailed | Unavailable>(validationFailed([outside]))
        : pipe(
            ports.portfolio.organizations(
              {
                id: O.fromNullable(asked.id),
                words: asked.name ?? [],
                joined: O.fromNullable(asked.joined),
              },
              pageRequest(asked),
            ),
            TE.mapError((failure): ValidationFailed | Unavailable => failure),
          )
    })
