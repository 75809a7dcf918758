import { OneRevision } from '@almoner/domain/content'
import { ListRevisions, type Revision } from '@almoner/domain/history'
import { asJson, many } from '../responses/headers.ts'
import { call, edit, type Route, routeOf, type Services } from '../route.ts'
import { FeedItemJson, LibraryItemJson } from '../serializers/content.ts'
import { encodeRevision, RevisionJson } from '../serializers/history.ts'
import { feedResponses, libraryResponses } from './content.ts'

const revisions = (services: Services) =>
  many<Revision, number>({
    key: 'history',
    text: asJson(encodeRevision(services.ports.mediaAddresses)),
    encodeCursor: String,
  })

const LISTED = {
  method: 'GET',
  access: 'listRevisions',
  parameters: ListRevisions,
  response: { kind: 'collection', key: 'history', codec: RevisionJson, paged: true },
} as const

const RESTORED = {
  method: 'POST',
  parameters: OneRevision,
  hasETag: true,
  honoursIfMatch: true,
  faults: [404, 409, 412],
} as const

/** The history of items (K2). */
export const HISTORY_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...LISTED,
    path: '/library/:itemId/history',
    name: 'listLibraryRevisions',
    summary: 'List the revisions of a library item, newest first.',
    handle: (services) => call(services.history.library.list, revisions(services)),
  }),
  routeOf('Library')({
    ...RESTORED,
    path: '/library/:itemId/history/:number/restore',
    name: 'restoreLibraryRevision',
    summary: 'Update a library item with the values after one of its revisions.',
    access: 'restoreLibraryRevision',
    response: { kind: 'one', codec: LibraryItemJson },
    handle: (services) => edit(services.history.library.restore, libraryResponses(services).one),
  }),
  routeOf('Feed')({
    ...LISTED,
    path: '/feed/:itemId/history',
    name: 'listFeedRevisions',
    summary: 'List the revisions of a feed item, newest first.',
    handle: (services) => call(services.history.feed.list, revisions(services)),
  }),
  routeOf('Feed')({
    ...RESTORED,
    path: '/feed/:itemId/history/:number/restore',
    name: 'restoreFeedRevision',
    summary: 'Update a feed item with the values after one of its revisions.',
    access: 'restoreFeedRevision',
    response: { kind: 'one', codec: FeedItemJson },
    handle: (services) => edit(services.history.feed.restore, feedResponses(services).one),
  }),
]
