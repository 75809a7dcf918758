import { ShowReaders } from '@almoner/domain/operations'
import { json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { encodeReader, ReaderJson } from '../../serializers/readers.ts'
import type { Services } from '../../services.ts'

const route = routeOf('Readers')

const readers = (
  name: string,
  path: string,
  what: string,
  useCase: (services: Services) => Services['console']['showLibraryReaders'],
): Route =>
  route({
    method: 'GET',
    path: `${path}/:itemId/readers`,
    name,
    summary: `Show which readers get ${what}, by scope and language.`,
    access: 'showReaders',
    parameters: ShowReaders,
    response: { kind: 'collection', key: 'readers', codec: ReaderJson, paged: false },
    faults: [404],
    handle: (services) => call(useCase(services), (found) => json({ readers: found.map(encodeReader) })),
  })

/** Who sees an item, by the rule of the lists (A3, C9). */
export const READER_ROUTES: ReadonlyArray<Route> = [
  readers(
    'showLibraryReaders',
    '/library',
    'a library item',
    (services) => services.console.showLibraryReaders,
  ),
  readers('showFeedReaders', '/feed', 'a feed item', (services) => services.console.showFeedReaders),
]
