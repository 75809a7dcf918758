import { UndoChange } from '@almoner/domain/content'
import { edit, type Route, routeOf } from '../../route.ts'
import { feedResponses, libraryResponses } from '../../routes/content.ts'
import { FeedItemJson, LibraryItemJson } from '../../serializers/content.ts'

const UNDONE = {
  method: 'POST',
  parameters: UndoChange,
  hasETag: true,
  honoursIfMatch: true,
  faults: [404, 409, 412],
} as const

/** The routes that take back the caller's latest act on an item (M12). */
export const UNDO_ROUTES: ReadonlyArray<Route> = [
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
]
