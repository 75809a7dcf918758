import { ListOrganizations, ListSectors, ShowPortfolio } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { asJson, many } from '../responses/collection.ts'
import { json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import {
  encodeOrganization,
  encodePortfolio,
  encodeSector,
  OrganizationAnswer,
  PortfolioAnswer,
  SectorAnswer,
} from '../serializers/portfolio.ts'
import { asText } from './place-text.ts'

const tag = 'Portfolio'

const sectors = (path: string, name: string, summary: string): Route =>
  route({
    shared: true,
    method: 'GET',
    path,
    name,
    summary,
    tag,
    access: 'listSectors',
    parameters: ListSectors,
    answer: { kind: 'collection', key: 'sectors', codec: SectorAnswer, paged: false },
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(
        services.listSectors(ask.caller, asked),
        TE.map(many({ key: 'sectors', text: asJson(encodeSector), placeText: asText })),
      ),
  })

const organizations = (path: string, name: string, summary: string, paged: boolean): Route =>
  route({
    shared: true,
    method: 'GET',
    path,
    name,
    summary,
    tag,
    access: 'listOrganizations',
    parameters: ListOrganizations,
    answer: { kind: 'collection', key: 'organizations', codec: OrganizationAnswer, paged },
    faults: [400],
    alsoUnmet: (services) => services.unmetJoinedYears,
    handle: (services) => (ask, asked) =>
      pipe(
        services.listOrganizations(ask.caller, asked),
        TE.map(many({ key: 'organizations', text: asJson(encodeOrganization), placeText: asText })),
      ),
  })

/** The interface's table *Portfolio*, but for what belongs to one organization. */
export const PORTFOLIO_ROUTES: ReadonlyArray<Route> = [
  route({
    shared: true,
    method: 'GET',
    path: '/portfolio/',
    name: 'getPortfolio',
    summary: 'Fetch the portfolio: its name and how many organizations it has.',
    tag,
    access: 'showPortfolio',
    parameters: ShowPortfolio,
    answer: { kind: 'one', codec: PortfolioAnswer },
    faults: [],
    handle: (services) => (ask) =>
      pipe(
        services.showPortfolio(ask.caller),
        TE.map((head) => json(encodePortfolio(head))),
      ),
  }),
  sectors('/portfolio/sector', 'listSectors', 'List the sectors, by id.'),
  sectors('/portfolio/sector/:sectorId', 'getSector', 'Fetch one sector: a collection of one, or of none.'),
  organizations('/portfolio/organization/', 'listOrganizations', 'List the organizations, by id.', true),
  organizations(
    '/portfolio/organization/:id',
    'getOrganization',
    'Fetch one organization: a collection of one, or of none.',
    false,
  ),
]
