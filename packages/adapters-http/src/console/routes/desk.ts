import { ListPeople } from '@almoner/domain/managers'
import { ShowDesk, ShowPublished } from '@almoner/domain/operations'
import { json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { DeskJson, encodeDesk, encodePublished, PublishedJson } from '../../serializers/desk.ts'
import { encodePerson, PersonJson } from '../../serializers/managers.ts'

const route = routeOf('Desk')

/** What waits for content managers, and their names. */
export const DESK_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/desk',
    name: 'showDesk',
    summary: 'Show what waits: posts, translations, notifications of today and failed ones.',
    access: 'showDesk',
    parameters: ShowDesk,
    response: { kind: 'one', codec: DeskJson },
    handle: (services) => call(services.console.showDesk, (desk) => json(encodeDesk(desk))),
  }),
  route({
    method: 'GET',
    path: '/published',
    name: 'showPublished',
    summary: 'Count the Live entries of the last twelve months by language, the oldest month first.',
    access: 'showDesk',
    parameters: ShowPublished,
    response: { kind: 'one', codec: PublishedJson },
    handle: (services) => call(services.console.showPublished, (months) => json(encodePublished(months))),
  }),
  route({
    method: 'GET',
    path: '/people',
    name: 'listPeople',
    summary: 'List the names of managers by the numbers that the history uses.',
    access: 'listPeople',
    parameters: ListPeople,
    response: { kind: 'collection', key: 'people', codec: PersonJson, paged: false },
    handle: (services) =>
      call(services.console.listPeople, (people) => json({ people: people.map(encodePerson) })),
  }),
]
