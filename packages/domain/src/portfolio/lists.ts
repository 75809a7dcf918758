import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, type Operation, permitted } from '../access/caller.ts'
import type { PortfolioImageName } from '../media/portfolio-images.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  Offset,
  pageRequest,
  type ResultSet,
  WHOLE_COLLECTION,
} from '../values/page.ts'
import {
  countsAsAbsent,
  type FieldError,
  fieldError,
  parameters,
  type RawParameters,
  readField,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { Language } from '../values/text.ts'
import { ChallengeCursor, NameWords, OrganizationCursor, TextCursor } from './finding.ts'
import { type Organization, OrganizationId, type PortfolioHead, SectorId, Year } from './model.ts'
import type { Portfolio, PortfolioPolicy, PortfolioPorts } from './ports.ts'

/** Returns the error of a year in `joined` (H2). */
export const joinedFaults = (
  { joinedYears: { first, last } }: Pick<PortfolioPolicy, 'joinedYears'>,
  joined: number | undefined,
): ReadonlyArray<FieldError> =>
  joined === undefined || (joined >= first && joined <= last)
    ? []
    : [fieldError('joined', `must be a year from ${first} to ${last}`)]

/** Returns the years in which organizations joined and for which `joined` cannot ask (H2). */
export const yearsOutside = (
  policy: Pick<PortfolioPolicy, 'joinedYears'>,
  joined: ReadonlyArray<number>,
): ReadonlyArray<number> => joined.filter((year) => joinedFaults(policy, year).length > 0)

/** Returns the error of `joined` in a request that is rejected anyway, so that one response names every bad field (I1). */
export const makeFurtherYearErrors =
  (policy: Pick<PortfolioPolicy, 'joinedYears'>) =>
  (caller: Caller, raw: RawParameters): TE.TaskEither<InsufficientScope, ReadonlyArray<FieldError>> =>
    permitted(
      'listOrganizations',
      caller,
    )(() => TE.right(joinedFaults(policy, readField(Year, raw, 'joined'))))

/** Parameters of GET /portfolio/: none. */
export const ShowPortfolio = parameters({ name: 'ShowPortfolio', required: {}, optional: {} })
export type ShowPortfolio = typeof ShowPortfolio._A

/** Returns the name of the portfolio and the number of its organizations (A7). */
export const makeShowPortfolio =
  (ports: Pick<PortfolioPorts, 'portfolio'>) =>
  (caller: Caller): TE.TaskEither<InsufficientScope | Unavailable, PortfolioHead> =>
    permitted('showPortfolio', caller)(() => ports.portfolio.head())

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

/** Lists the organizations that match all filters, by id (H2, H3). */
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
