import type { Caller, ResultSet } from '@almoner/domain'
import type { Operation } from '@almoner/domain/access'
import {
  encodeChallengeCursor,
  encodeTextCursor,
  ListChallenges,
  ListDatasets,
  ListIntroductions,
  ListOrganizationSectors,
  ListOrganizations,
  ListPrograms,
  ListSectors,
  ListSummaries,
  ShowPortfolio,
} from '@almoner/domain/portfolio'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import type { UseCaseFailure } from '../problems/problem-of-failure.ts'
import type { AnyParameters } from '../request/parameters.ts'
import { asJson, type CollectionForm, json, many } from '../responses/headers.ts'
import { call, type ReadsOf, type Route, routeOf, type Services } from '../route.ts'
import {
  ChallengeJson,
  DatasetJson,
  encodeChallenge,
  encodeDataset,
  encodeIntroduction,
  encodeOrganization,
  encodePortfolio,
  encodeProgram,
  encodeSector,
  encodeSummary,
  IntroductionJson,
  OrganizationJson,
  PortfolioJson,
  ProgramJson,
  SectorJson,
  SummaryJson,
} from '../serializers/portfolio.ts'

const route = routeOf('Portfolio')

const readsOf: ReadsOf = () => ['portfolio']

const sectors = (path: string, name: string, summary: string): Route =>
  route({
    readsOf,
    hasETag: 'digest',
    method: 'GET',
    path,
    name,
    summary,
    access: 'listSectors',
    parameters: ListSectors,
    response: { kind: 'collection', key: 'sectors', codec: SectorJson, paged: false },
    handle: (services) =>
      call(
        services.portfolio.sectors,
        many({ key: 'sectors', text: asJson(encodeSector), encodeCursor: String }),
      ),
  })

const organizations = (path: string, name: string, summary: string, paged: boolean): Route =>
  route({
    readsOf,
    hasETag: 'digest',
    method: 'GET',
    path,
    name,
    summary,
    access: 'listOrganizations',
    parameters: ListOrganizations,
    response: { kind: 'collection', key: 'organizations', codec: OrganizationJson, paged },
    furtherErrors: (services) => services.furtherErrors.year,
    handle: (services) =>
      call(
        services.portfolio.organizations,
        many({ key: 'organizations', text: asJson(encodeOrganization), encodeCursor: String }),
      ),
  })

/** The interface's table *Portfolio*, without the routes of one organization. */
export const PORTFOLIO_ROUTES: ReadonlyArray<Route> = [
  route({
    readsOf,
    hasETag: 'digest',
    method: 'GET',
    path: '/portfolio/',
    name: 'getPortfolio',
    summary: 'Fetch the portfolio: its name and the number of organizations.',
    access: 'showPortfolio',
    parameters: ShowPortfolio,
    response: { kind: 'one', codec: PortfolioJson },
    handle: (services) => call(services.portfolio.show, (head) => json(encodePortfolio(head))),
  }),
  sectors('/portfolio/sector', 'listSectors', 'List the sectors, by id.'),
  sectors(
    '/portfolio/sector/:sectorId',
    'getSector',
    'Fetch one sector: a collection of one, or an empty one.',
  ),
  organizations('/portfolio/organization/', 'listOrganizations', 'List the organizations, by id.', true),
  organizations(
    '/portfolio/organization/:id',
    'getOrganization',
    'Fetch one organization: a collection of one, or an empty one.',
    false,
  ),
]

/** Something that organizations have, and how a collection of it goes out. */
interface PartOf<C extends AnyParameters, A, P> {
  /** The last segment of its paths. */
  readonly segment: string
  readonly access: Operation
  /** What it is called in summaries. */
  readonly called: string
  readonly parameters: C
  readonly codec: t.Mixed
  readonly form: CollectionForm<A, P>
  readonly list: (
    services: Services,
  ) => (caller: Caller, asked: t.TypeOf<C>) => TE.TaskEither<UseCaseFailure, ResultSet<A, P>>
}

/** Both forms of a part's endpoint: the organization in the path, or as the parameter `id`. */
const part = <C extends AnyParameters, A, P>({
  segment,
  access,
  called,
  form,
  list,
  codec,
  ...rest
}: PartOf<C, A, P>): ReadonlyArray<Route> =>
  [
    { path: `/portfolio/organization/${segment}`, operation: `${access}ById` },
    { path: `/portfolio/organization/:id/${segment}`, operation: access },
  ].map(({ path, operation }) =>
    route({
      ...rest,
      access,
      readsOf,
      hasETag: 'digest',
      method: 'GET',
      path,
      name: operation,
      summary: `List the ${called} of an organization.`,
      response: { kind: 'collection', key: form.key, codec, paged: 'lim' in rest.parameters.shape.optional },
      handle: (services) => call(list(services), many(form)),
    }),
  )

/** The interface's table *Portfolio*: what belongs to one organization. */
export const ORGANIZATION_ROUTES: ReadonlyArray<Route> = [
  ...part({
    segment: 'sector',
    called: 'sectors',
    access: 'listOrganizationSectors',
    parameters: ListOrganizationSectors,
    codec: SectorJson,
    form: { key: 'sectors', text: asJson(encodeSector), encodeCursor: String },
    list: (services) => services.portfolio.organizationSectors,
  }),
  ...part({
    segment: 'introduction',
    called: 'introductions',
    access: 'listIntroductions',
    parameters: ListIntroductions,
    codec: IntroductionJson,
    form: { key: 'introductions', text: asJson(encodeIntroduction), encodeCursor: encodeTextCursor },
    list: (services) => services.portfolio.introductions,
  }),
  ...part({
    segment: 'summary',
    called: 'summaries',
    access: 'listSummaries',
    parameters: ListSummaries,
    codec: SummaryJson,
    form: { key: 'summaries', text: asJson(encodeSummary), encodeCursor: encodeTextCursor },
    list: (services) => services.portfolio.summaries,
  }),
  ...part({
    segment: 'program',
    called: 'programs',
    access: 'listPrograms',
    parameters: ListPrograms,
    codec: ProgramJson,
    form: { key: 'programs', text: asJson(encodeProgram), encodeCursor: encodeTextCursor },
    list: (services) => services.portfolio.programs,
  }),
  ...part({
    segment: 'challenge',
    called: 'challenges',
    access: 'listChallenges',
    parameters: ListChallenges,
    codec: ChallengeJson,
    form: { key: 'challenges', text: asJson(encodeChallenge), encodeCursor: encodeChallengeCursor },
    list: (services) => services.portfolio.challenges,
  }),
  ...part({
    segment: 'datasets',
    called: 'datasets',
    access: 'listDatasets',
    parameters: ListDatasets,
    codec: DatasetJson,
    form: { key: 'datasets', text: asJson(encodeDataset), encodeCursor: String },
    list: (services) => services.portfolio.datasets,
  }),
]
