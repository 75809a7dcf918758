import { ShowDesk } from '@almoner/domain/desk'
import { json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { DeskJson, encodeDesk } from '../../serializers/desk.ts'

const route = routeOf('Desk')

/** What waits for content managers. */
export const DESK_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/desk',
    name: 'showDesk',
    summary: 'Show what waits: posts, translations, notifications of today and failed ones.',
    access: 'showDesk',
    parameters: ShowDesk,
    response: { kind: 'one', codec: DeskJson },
    handle: (services) => call(services.showDesk, (desk) => json(encodeDesk(desk))),
  }),
]
