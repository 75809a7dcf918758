import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, type Operation, permitted } from '../../access/caller.ts'
import { ChallengeCursor, TextCursor } from '../../portfolio/cursors.ts'
import { OrganizationId, SectorId } from '../../portfolio/ids.ts'
import { Year } from '../../portfolio/numbers.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import type { Portfolio } from '../../ports/portfolio.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  Offset,
  pageRequest,
  type ResultSet,
  WHOLE_COLLECTION,
} from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'

type ListsParts = Extract<
  Operation,
  | 'listChallenges'
  | 'listDatasets'
  | 'listIntroductions'
  | 'listOrganizationSectors'
  | 'listPrograms'
  | 'listSectors'
  | 'listSummaries'
>

/** Makes a use case that checks the caller's scope for `operation` and reads a list of the portfolio. */
const lists =
  <Asked, A, Cursor>(
    operation: ListsParts,
    read: (portfolio: Portfolio, asked: Asked) => TE.TaskEither<Unavailable, ResultSet<A, Cursor>>,
  ) =>
  ({ portfolio }: Pick<PortfolioPorts, 'portfolio'>) =>
  (caller: Caller, asked: Asked): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<A, Cursor>> =>
    permitted(operation, caller)(() => read(portfolio, asked))

/** An organization's texts in one language or in all. */
const textsOf = ({ id, lang }: { readonly id: OrganizationId; readonly lang?: Language | undefined }) => ({
  organization: id,
  lang: O.fromNullable(lang),
})

/** Parameters of GET /portfolio/sector. */
export const ListSectors = parameters({
  name: 'ListSectors',
  required: {},
  optional: { sectorId: SectorId },
})
export type ListSectors = typeof ListSectors._A

/** Lists all sectors by id, or the one asked for; none when it is unknown (H3). */
export const makeListSectors = lists('listSectors', (portfolio, { sectorId }: ListSectors) =>
  portfolio.sectors({ id: O.fromNullable(sectorId), organization: O.none }, WHOLE_COLLECTION),
)

/** Parameters of GET /portfolio/organization/sector. */
export const ListOrganizationSectors = parameters({
  name: 'ListOrganizationSectors',
  required: { id: OrganizationId },
  optional: {},
})
export type ListOrganizationSectors = typeof ListOrganizationSectors._A

/** Lists the sectors of an organization by id; none when it is unknown (H3). */
export const makeListOrganizationSectors = lists(
  'listOrganizationSectors',
  (portfolio, { id }: ListOrganizationSectors) =>
    portfolio.sectors({ id: O.none, organization: O.some(id) }, WHOLE_COLLECTION),
)

/** Parameters of GET /portfolio/organization/introduction. */
export const ListIntroductions = parameters({
  name: 'ListIntroductions',
  required: { id: OrganizationId },
  optional: { lang: Language },
})
export type ListIntroductions = typeof ListIntroductions._A

/** Lists the introductions of an organization (H3). */
export const makeListIntroductions = lists('listIntroductions', (portfolio, asked: ListIntroductions) =>
  portfolio.introductions(textsOf(asked), WHOLE_COLLECTION),
)

/** Parameters of GET /portfolio/organization/summary. */
export const ListSummaries = parameters({
  name: 'ListSummaries',
  required: { id: OrganizationId },
  optional: { lang: Language },
})
export type ListSummaries = typeof ListSummaries._A

/** Lists the summaries of an organization (H3). */
export const makeListSummaries = lists('listSummaries', (portfolio, asked: ListSummaries) =>
  portfolio.summaries(textsOf(asked), WHOLE_COLLECTION),
)

/** Parameters of GET /portfolio/organization/program. */
export const ListPrograms = parameters({
  name: 'ListPrograms',
  required: { id: OrganizationId },
  optional: { lim: Lim, offset: Offset, lang: Language, after: TextCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListPrograms = typeof ListPrograms._A

/** Lists the programs of an organization; `lim` applies to all languages together (H2, H3). */
export const makeListPrograms = lists('listPrograms', (portfolio, asked: ListPrograms) =>
  portfolio.programs(textsOf(asked), pageRequest(asked)),
)

/** Parameters of GET /portfolio/organization/challenge. */
export const ListChallenges = parameters({
  name: 'ListChallenges',
  required: { id: OrganizationId },
  optional: { lim: Lim, offset: Offset, lang: Language, after: ChallengeCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListChallenges = typeof ListChallenges._A

/** Lists the challenges of an organization by number; `lim` applies to all languages together (H2, H3). */
export const makeListChallenges = lists('listChallenges', (portfolio, asked: ListChallenges) =>
  portfolio.challenges(textsOf(asked), pageRequest(asked)),
)

/** Parameters of GET /portfolio/organization/datasets. */
export const ListDatasets = parameters({
  name: 'ListDatasets',
  required: { id: OrganizationId },
  optional: { year: Year },
})
export type ListDatasets = typeof ListDatasets._A

/** Lists the figures of an organization by year, or those of one year (H2, H3). */
export const makeListDatasets = lists('listDatasets', (portfolio, { id, year }: ListDatasets) =>
  portfolio.datasets({ organization: id, year: O.fromNullable(year) }, WHOLE_COLLECTION),
)
