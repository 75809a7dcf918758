import { type Change, type ChangesAnswer, ListChanges } from '@almoner/domain/changes'
import type { RouteResponse } from '../responses/headers.ts'
import { call, type Route, routeOf, type Services } from '../route.ts'
import { ChangesJson, encodeLabel } from '../serializers/content.ts'
import { feedResponses, libraryResponses } from './content.ts'

/** Makes the function that writes a change as JSON (N1). */
const makeWriteChange = (services: Services) => {
  const [library, feed] = [libraryResponses(services), feedResponses(services)]
  /** Puts the members of an object as collections have it, `{"item":{…}}`, into the change. */
  const put = ({ kind, id }: Change & { readonly id: string }, text: string): string =>
    `{"change":{"kind":"${kind}","id":${JSON.stringify(id)},"operation":"put",${text.slice(1)}}`
  return (change: Change): string => {
    if (change.operation !== 'put') return JSON.stringify({ change })
    if (change.kind === 'label') return put(change, JSON.stringify(encodeLabel(change.label)))
    return put(change, change.kind === 'library' ? library.listed(change.item) : feed.listed(change.item))
  }
}

/** Makes the function that responds with changes. */
const makeRespond = (services: Services) => {
  const write = makeWriteChange(services)
  return ({ changes, cursor, hasMore }: ChangesAnswer): RouteResponse => ({
    kind: 'json',
    text: `{"changes":[${changes.map(write).join(',')}],"cursor":${JSON.stringify(cursor)}}`,
    ...(hasMore && { next: ['since', cursor] }),
  })
}

/** What apps that keep a copy ask for (N1 to N4). */
export const CHANGES_ROUTES: ReadonlyArray<Route> = [
  routeOf('Changes')({
    method: 'GET',
    path: '/changes',
    name: 'listChanges',
    summary: 'List changes for the caller since a cursor; everything without one.',
    access: 'listChanges',
    parameters: ListChanges,
    response: { kind: 'one', codec: ChangesJson },
    hasLink: true,
    faults: [410],
    handle: (services) => call(services.changes.list, makeRespond(services)),
  }),
]
