import type { LibraryItem } from '@almoner/domain'
import {
  encodePublicationCursor,
  ListPublications,
  type Publication,
  type PublicationCursor,
  UndoChange,
  type WithIncluded,
} from '@almoner/domain/content'
import { ListEarlierPosts } from '@almoner/domain/people'
import { many } from '../../responses/headers.ts'
import { call, edit, type Route, routeOf, type Services } from '../../route.ts'
import { feedResponses, libraryResponses } from '../../routes/content.ts'
import { FeedItemJson, LibraryItemJson, PublicationJson } from '../../serializers/content.ts'

const UNDONE = {
  method: 'POST',
  parameters: UndoChange,
  hasETag: true,
  honoursIfMatch: true,
  faults: [404, 409, 412],
} as const

/** Makes the response with publications: the sides of each as lists of items have them. */
const publications = (services: Services) => {
  const { listed } = libraryResponses(services)
  return many<Publication<WithIncluded<LibraryItem>>, PublicationCursor>({
    key: 'publications',
    text: ({ sides }) => `{"publication":{"sides":[${sides.map(listed).join(',')}]}}`,
    encodeCursor: encodePublicationCursor,
  })
}

/** The list of publications, both languages of each as one (J7). */
export const PUBLICATION_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    method: 'GET',
    path: '/publications',
    name: 'listPublications',
    summary: 'List publications, both languages as one, with their number.',
    access: 'linkTranslation',
    parameters: ListPublications,
    response: { kind: 'collection', key: 'publications', codec: PublicationJson, paged: true },
    handle: (services) => call(services.console.listPublications, publications(services)),
  }),
]

/** The routes of items: they take back the caller's latest act (M12), and list what else the author of a post has sent (L3). */
export const ITEM_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...UNDONE,
    path: '/library/:itemId/undo',
    name: 'undoLibraryChange',
    summary: "Take back the caller's latest change of a library item, up to an hour later.",
    access: 'restoreLibraryRevision',
    response: { kind: 'one', codec: LibraryItemJson },
    handle: (services) => edit(services.history.library.undo, libraryResponses(services).one),
  }),
  routeOf('Feed')({
    ...UNDONE,
    path: '/feed/:itemId/undo',
    name: 'undoFeedChange',
    summary: "Take back the caller's latest change of a feed item, up to an hour later.",
    access: 'restoreFeedRevision',
    response: { kind: 'one', codec: FeedItemJson },
    handle: (services) => edit(services.history.feed.undo, feedResponses(services).one),
  }),
  routeOf('Feed')({
    method: 'GET',
    path: '/feed/:itemId/earlier',
    name: 'listEarlierPosts',
    summary: 'List the posts that the author of a feed item sent before it, newest first, 6 at most.',
    access: 'includeAuthors',
    parameters: ListEarlierPosts,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: false },
    handle: (services) => call(services.feed.earlierPosts, feedResponses(services).many),
  }),
]
