import {
  challengePlaceText,
  ListChallenges,
  ListDatasets,
  ListIntroductions,
  type Listing,
  ListOrganizationSectors,
  ListPrograms,
  ListSummaries,
  type Operation,
  textPlaceText,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import type { Failure } from '../problems/problem-of-failure.ts'
import { asJson, type CollectionForm, many } from '../responses/collection.ts'
import { type AnyParameters, type Ask, type Route, route } from '../route.ts'
import { encodeSector, SectorAnswer } from '../serializers/portfolio.ts'
import {
  ChallengeAnswer,
  DatasetAnswer,
  encodeChallenge,
  encodeDataset,
  encodeIntroduction,
  encodeProgram,
  encodeSummary,
  IntroductionAnswer,
  ProgramAnswer,
  SummaryAnswer,
} from '../serializers/portfolio-texts.ts'
import type { Services } from '../services.ts'
import { asText } from './place-text.ts'

/** Something that organizations have, and how a collection of it goes out. */
interface PartOf<C extends AnyParameters, A, P> {
  /** The last segment of its paths. */
  readonly segment: string
  /** What it is called in the names of operations, and in their summaries. */
  readonly name: string
  readonly called: string
  readonly access: Operation
  readonly parameters: C
  readonly codec: t.Mixed
  readonly paged: boolean
  readonly form: CollectionForm<A, P>
  readonly list: (
    services: Services,
  ) => (caller: Ask['caller'], asked: t.TypeOf<C>) => TE.TaskEither<Failure, Listing<A, P>>
}

/** Both forms of a part's endpoint: the organization in the path, or as the parameter `id`. */
const part = <C extends AnyParameters, A, P>({
  segment,
  name,
  called,
  form,
  list,
  codec,
  paged,
  ...rest
}: PartOf<C, A, P>): ReadonlyArray<Route> =>
  [
    { path: `/portfolio/organization/${segment}`, operation: `list${name}ById` },
    { path: `/portfolio/organization/:id/${segment}`, operation: `list${name}` },
  ].map(({ path, operation }) =>
    route({
      ...rest,
      shared: true,
      method: 'GET',
      path,
      name: operation,
      summary: `List the ${called} of an organization.`,
      tag: 'Portfolio',
      answer: { kind: 'collection', key: form.key, codec, paged },
      faults: [400],
      handle: (services) => (ask, asked) => pipe(list(services)(ask.caller, asked), TE.map(many(form))),
    }),
  )

/** The interface's table *Portfolio*: what belongs to one organization. */
export const ORGANIZATION_ROUTES: ReadonlyArray<Route> = [
  ...part({
    segment: 'sector',
    name: 'OrganizationSectors',
    called: 'sectors',
    access: 'listOrganizationSectors',
    parameters: ListOrganizationSectors,
    codec: SectorAnswer,
    paged: false,
    form: { key: 'sectors', text: asJson(encodeSector), placeText: asText },
    list: (services) => services.listOrganizationSectors,
  }),
  ...part({
    segment: 'introduction',
    name: 'Introductions',
    called: 'introductions',
    access: 'listIntroductions',
    parameters: ListIntroductions,
    codec: IntroductionAnswer,
    paged: false,
    form: { key: 'introductions', text: asJson(encodeIntroduction), placeText: textPlaceText },
    list: (services) => services.listIntroductions,
  }),
  ...part({
    segment: 'summary',
    name: 'Summaries',
    called: 'summaries',
    access: 'listSummaries',
    parameters: ListSummaries,
    codec: SummaryAnswer,
    paged: false,
    form: { key: 'summaries', text: asJson(encodeSummary), placeText: textPlaceText },
    list: (services) => services.listSummaries,
  }),
  ...part({
    segment: 'program',
    name: 'Programs',
    called: 'programs',
    access: 'listPrograms',
    parameters: ListPrograms,
    codec: ProgramAnswer,
    paged: true,
    form: { key: 'programs', text: asJson(encodeProgram), placeText: textPlaceText },
    list: (services) => services.listPrograms,
  }),
  ...part({
    segment: 'challenge',
    name: 'Challenges',
    called: 'challenges',
    access: 'listChallenges',
    parameters: ListChallenges,
    codec: ChallengeAnswer,
    paged: true,
    form: { key: 'challenges', text: asJson(encodeChallenge), placeText: challengePlaceText },
    list: (services) => services.listChallenges,
  }),
  ...part({
    segment: 'datasets',
    name: 'Datasets',
    called: 'annual figures',
    access: 'listDatasets',
    parameters: ListDatasets,
    codec: DatasetAnswer,
    paged: false,
    form: { key: 'datasets', text: asJson(encodeDataset), placeText: asText },
    list: (services) => services.listDatasets,
  }),
]
