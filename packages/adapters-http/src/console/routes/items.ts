import type { LibraryItem } from '@almoner/domain'
import {
  CheckFeedItem,
  CheckLibraryItem,
  DeleteDraft,
  encodePublicationCursor,
  ListPublications,
  PlaceFeedImage,
  PlaceLibraryImage,
  type Publication,
  type PublicationCursor,
  UndoChange,
  UndoDeletion,
  type WithIncluded,
} from '@almoner/domain/content'
import { MakePreview, type NewPreview } from '@almoner/domain/managers'
import { ListEarlierPosts } from '@almoner/domain/people'
import { EMPTY, json, many } from '../../responses/headers.ts'
import { call, edit, type Route, routeOf, type Services, write } from '../../route.ts'
import { feedResponses, IMAGE_PATH, libraryResponses } from '../../routes/content.ts'
import {
  DeletionJson,
  encodeDeletion,
  FeedItemJson,
  LibraryItemJson,
  PublicationJson,
} from '../../serializers/content.ts'
import { encodePreview, PreviewJson } from '../../serializers/managers.ts'

const UNDONE = {
  method: 'POST',
  parameters: UndoChange,
  hasETag: true,
  honoursIfMatch: true,
  faults: [404, 409, 412],
} as const

const CHECKED = { method: 'POST', response: { kind: 'empty' } } as const

/** The routes that name everything that a new item lacks to be Live, before it is created (C6, C7). */
export const CHECK_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...CHECKED,
    path: '/library/check',
    name: 'checkLibraryItem',
    summary: 'Check whether a new library item with these fields and images could be Live.',
    access: 'updateLibraryItem',
    parameters: CheckLibraryItem,
    handle: (services) => call(services.library.check, () => EMPTY),
  }),
  routeOf('Feed')({
    ...CHECKED,
    path: '/feed/check',
    name: 'checkFeedItem',
    summary: 'Check whether a new feed item with these fields and image could be Live.',
    access: 'updateFeedItem',
    parameters: CheckFeedItem,
    handle: (services) => call(services.feed.check, () => EMPTY),
  }),
]

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

const PLACED = {
  method: 'PUT',
  hasETag: true,
  honoursIfMatch: true,
  faults: [404, 409, 412],
} as const

/** The routes by which an item shows an image that a working copy has stored (D5, M7). */
export const PLACING_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...PLACED,
    path: IMAGE_PATH,
    name: 'placeLibraryImage',
    summary: 'Make a stored image the cover or notification image of a library item.',
    access: 'uploadLibraryImage',
    parameters: PlaceLibraryImage,
    response: { kind: 'one', codec: LibraryItemJson },
    handle: (services) => edit(services.library.placeImage, libraryResponses(services).one),
  }),
  routeOf('Feed')({
    ...PLACED,
    path: '/feed/:itemId/media',
    name: 'placeFeedImage',
    summary: 'Make a stored image the image of a feed item.',
    access: 'updateFeedItem',
    parameters: PlaceFeedImage,
    response: { kind: 'one', codec: FeedItemJson },
    handle: (services) => edit(services.feed.placeImage, feedResponses(services).one),
  }),
]

const DELETED = {
  method: 'DELETE',
  access: 'deleteDraft',
  parameters: DeleteDraft,
  honoursIfMatch: true,
  response: { kind: 'one', codec: DeletionJson },
  faults: [404, 409, 412],
} as const

const BROUGHT_BACK = {
  method: 'POST',
  access: 'deleteDraft',
  parameters: UndoDeletion,
  hasETag: true,
  faults: [404],
} as const

/** The routes that delete drafts which were never Live, and take that back (C18). The API has none of them. */
export const DELETION_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...DELETED,
    path: '/library/:itemId',
    name: 'deleteLibraryDraft',
    summary: 'Delete a library item that was never Live.',
    handle: (services) => edit(services.history.library.delete, (done) => json(encodeDeletion(done))),
  }),
  routeOf('Library')({
    ...BROUGHT_BACK,
    path: '/library/:itemId/deletion/:deletionId/undo',
    name: 'undoLibraryDeletion',
    summary: 'Bring back a library item, at most ten seconds after it was deleted.',
    response: { kind: 'one', codec: LibraryItemJson },
    handle: (services) => write(services.history.library.undoDeletion, libraryResponses(services).one),
  }),
  routeOf('Feed')({
    ...DELETED,
    path: '/feed/:itemId',
    name: 'deleteFeedDraft',
    summary: 'Delete a feed item that was never Live.',
    handle: (services) => edit(services.history.feed.delete, (done) => json(encodeDeletion(done))),
  }),
  routeOf('Feed')({
    ...BROUGHT_BACK,
    path: '/feed/:itemId/deletion/:deletionId/undo',
    name: 'undoFeedDeletion',
    summary: 'Bring back a feed item, at most ten seconds after it was deleted.',
    response: { kind: 'one', codec: FeedItemJson },
    handle: (services) => write(services.history.feed.undoDeletion, feedResponses(services).one),
  }),
]

const PREVIEWED = {
  method: 'POST',
  access: 'previewInApp',
  parameters: MakePreview,
  confidential: true,
  response: { kind: 'one', codec: PreviewJson },
  faults: [404],
} as const

const preview = (made: NewPreview) => json(encodePreview(made))

/** The routes that make an address at which the app shows an item before readers see it (A11). */
export const PREVIEW_ROUTES: ReadonlyArray<Route> = [
  routeOf('Library')({
    ...PREVIEWED,
    path: '/library/:itemId/preview',
    name: 'previewLibraryItem',
    summary:
      'Make an address at which the app shows a library item for 15 minutes, as saved, typed or proposed.',
    handle: (services) => call(services.console.previewLibraryItem, preview),
  }),
  routeOf('Feed')({
    ...PREVIEWED,
    path: '/feed/:itemId/preview',
    name: 'previewFeedItem',
    summary:
      'Make an address at which the app shows a feed item for 15 minutes, as saved, typed or proposed.',
    handle: (services) => call(services.console.previewFeedItem, preview),
  }),
]
