import {
  CreateLibraryItem,
  ListLibraryItems,
  NO_IMAGE,
  OneLibraryImage,
  UpdateLibraryItem,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { memoize } from '../responses/memoize.ts'
import { EMPTY, json } from '../responses/route-response.ts'
import { type Route, respond, route } from '../route.ts'
import { encodeLibraryItem, LibraryItemJson, libraryRelatedLink } from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { itemResponses, RelatedLinkJson } from './item-responses.ts'

const tag = 'Library'

/** Another word than these two makes an unknown path (B3). */
const IMAGE_PATH = '/library/:itemId/media/:image(^cover$|^notification$)'

/** The responses with items, made once for each API. */
const responses = memoize((services: Services) =>
  itemResponses(services, encodeLibraryItem(services.addresses)),
)

/** The interface's table *Library*, but for its labels. */
export const LIBRARY_ROUTES: ReadonlyArray<Route> = [
  route({
    cacheable: true,
    method: 'GET',
    path: '/library/',
    name: 'listLibraryItems',
    summary: 'List library items, newest publication first.',
    tag,
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: true },
    faults: [400],
    handle: (services) => (request, asked) =>
      pipe(services.listLibraryItems(request.caller, asked), TE.map(responses(services).many)),
  }),
  route({
    cacheable: true,
    method: 'GET',
    path: '/library/:itemId',
    name: 'getLibraryItem',
    summary:
      'Fetch one library item: a collection of one, or of none when it does not exist or may not be seen.',
    tag,
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    faults: [400],
    handle: (services) => (request, asked) =>
      pipe(services.listLibraryItems(request.caller, asked), TE.flatMap(responses(services).atMostOne)),
  }),
  route({
    method: 'POST',
    path: '/library/',
    name: 'createLibraryItem',
    summary: 'Create a library item. It is a Draft.',
    tag,
    access: 'createLibraryItem',
    parameters: CreateLibraryItem,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    faults: [400],
    handle: (services) => (request, command) =>
      respond(request, responses(services).alone, (receipt) =>
        services.createLibraryItem(request.caller, command, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: '/library/:itemId',
    name: 'updateLibraryItem',
    summary: 'Update a library item, and move it between Draft, Live and Archived.',
    tag,
    access: 'updateLibraryItem',
    parameters: UpdateLibraryItem,
    response: { kind: 'one', codec: LibraryItemJson },
    hasETag: true,
    honoursIfMatch: true,
    faults: [400, 404, 409, 412],
    handle: (services) => (request, command) =>
      respond(request, responses(services).one, (receipt) =>
        services.updateLibraryItem(request.caller, command, request.expected, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: IMAGE_PATH,
    name: 'uploadLibraryImage',
    summary: 'Upload the cover or notification image: the first file part, JPEG or PNG.',
    tag,
    access: 'uploadLibraryImage',
    parameters: OneLibraryImage,
    upload: 'first',
    response: { kind: 'empty' },
    honoursIfMatch: true,
    faults: [400, 404, 412, 413, 415],
    handle:
      (services) =>
      ({ upload, ...request }, which) =>
        upload === undefined
          ? TE.left(NO_IMAGE)
          : respond(
              request,
              () => EMPTY,
              (receipt) =>
                services.uploadLibraryImage(request.caller, which, upload, request.expected, receipt),
            ),
  }),
  route({
    method: 'DELETE',
    path: IMAGE_PATH,
    name: 'removeLibraryImage',
    summary: 'Remove the cover or notification image. Answers the itemRelatedLink that the item now has.',
    tag,
    access: 'removeLibraryImage',
    parameters: OneLibraryImage,
    response: { kind: 'one', codec: RelatedLinkJson },
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => (request, which) =>
      pipe(
        services.removeLibraryImage(request.caller, which, request.expected),
        TE.map((item) => json(libraryRelatedLink(services.addresses, item))),
      ),
  }),
]
