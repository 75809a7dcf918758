import { ListTextFindings } from '@almoner/domain/portfolio'
import { json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { encodeTextFinding, TextFindingJson } from '../../serializers/text-findings.ts'

const route = routeOf('Portfolio')

/** The checks of the portfolio. Its content is read through the routes of the API (M7). */
export const PORTFOLIO_CHECK_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/portfolio/findings',
    name: 'listTextFindings',
    summary: 'List texts that lack a language, and highlights that do not occur in their text.',
    access: 'listTextFindings',
    parameters: ListTextFindings,
    response: { kind: 'collection', key: 'findings', codec: TextFindingJson, paged: false },
    handle: (services) =>
      call(services.listTextFindings, (findings) => json({ findings: findings.map(encodeTextFinding) })),
  }),
]
