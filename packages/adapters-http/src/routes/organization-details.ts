import type { Caller, ResultSet } from '@almoner/domain'
import type { Operation } from '@almoner/domain/access'
import {
  encodeChallengeCursor,
  encodeTextCursor,
  ListChallenges,
  ListDatasets,
  ListIntroductions,
  ListOrganizationSectors,
  ListPrograms,
  ListSummaries,
} from '@almoner/domain/portfolio'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import type { UseCaseFailure } from '../problems/problem-of-failure.ts'
import type { AnyParameters } from '../request/parameters.ts'
import { asJson, type CollectionForm, many } from '../responses/route-response.ts'
import { call, type Route, routeOf } from '../route.ts'
import {
  ChallengeJson,
  DatasetJson,
  encodeChallenge,
  encodeDataset,
  encodeIntroduction,
  encodeProgram,
  encodeSector,
  encodeSummary,
  IntroductionJson,
  ProgramJson,
  SectorJson,
  SummaryJson,
} from '../serializers/portfolio.ts'
import type { Services } from '../services.ts'

const route = routeOf('Portfolio')

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
      cacheable: true,
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
