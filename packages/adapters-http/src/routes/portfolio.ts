import { ListOrganizations, ListSectors, ShowPortfolio } from '@almoner/domain/portfolio'
import { asJson, json, many } from '../responses/route-response.ts'
import { call, type Route, routeOf } from '../route.ts'
import {
  encodeOrganization,
  encodePortfolio,
  encodeSector,
  OrganizationJson,
  PortfolioJson,
  SectorJson,
} from '../serializers/portfolio.ts'

const route = routeOf('Portfolio')

const sectors = (path: string, name: string, summary: string): Route =>
  route({
    cacheable: true,
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
    cacheable: true,
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
    cacheable: true,
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
