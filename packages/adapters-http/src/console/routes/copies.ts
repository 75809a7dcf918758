import { ListCopies, OneCopy, PutCopy } from '@almoner/domain/managers'
import { revisionOf } from '../../responses/headers.ts'
import { EMPTY, json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { CopyJson, CopySummaryJson, encodeCopy, encodeCopySummary } from '../../serializers/working-copies.ts'

const route = routeOf('Working copies')

const PATH = '/copies/:key'

/** Bytes of a body with fields: escaping may make their text four times as long. */
const LARGEST_COPY = 4 * 262_144 + 16_384

const summary = encodeCopySummary(revisionOf)

/** What the signed-in manager has typed and not saved (M7). */
export const COPY_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/copies',
    name: 'listCopies',
    summary: 'List the working copies of the signed-in manager, the latest change first.',
    access: 'workOnCopies',
    parameters: ListCopies,
    response: { kind: 'collection', key: 'copies', codec: CopySummaryJson, paged: false },
    handle: (services) =>
      call(services.console.listCopies, (copies) => json({ copies: copies.map(summary) })),
  }),
  route({
    method: 'GET',
    path: PATH,
    name: 'getCopy',
    summary: 'Get a working copy of the signed-in manager.',
    access: 'workOnCopies',
    parameters: OneCopy,
    response: { kind: 'one', codec: CopyJson },
    faults: [404],
    handle: (services) => call(services.console.getCopy, (copy) => json(encodeCopy(copy))),
  }),
  route({
    method: 'PUT',
    path: PATH,
    name: 'putCopy',
    summary: 'Store a working copy of the signed-in manager, valid or not.',
    access: 'workOnCopies',
    parameters: PutCopy,
    response: { kind: 'one', codec: CopySummaryJson },
    bodyLimit: LARGEST_COPY,
    handle: (services) => call(services.console.putCopy, (copy) => json(summary(copy))),
  }),
  route({
    method: 'DELETE',
    path: PATH,
    name: 'deleteCopy',
    summary: 'Delete a working copy of the signed-in manager, if there is one.',
    access: 'workOnCopies',
    parameters: OneCopy,
    response: { kind: 'empty' },
    handle: (services) => call(services.console.deleteCopy, () => EMPTY),
  }),
]
