import { CreateLibraryItem, type LibraryItem, ListLibraryItems, UpdateLibraryItem } from '@almoner/domain'
import { GetLibraryItem, OneLibraryImage } from '@almoner/domain/content'
import { EMPTY, json } from '../responses/route-response.ts'
import { call, edit, type Route, routeOf, upload, write } from '../route.ts'
import {
  encodeLibraryItem,
  LibraryItemJson,
  ListedLibraryItemJson,
  libraryRelatedLink,
} from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { itemResponses, RelatedLinkJson } from './item-responses.ts'

const route = routeOf('Library')

/** Another word than these two makes an unknown path (B3). */
const IMAGE_PATH = '/library/:itemId/media/:image(^cover$|^notification$)'

const responses = (services: Services) =>
  itemResponses(services, 'library', encodeLibraryItem(services.ports.mediaAddresses))

/** The interface's table *Library*, without its labels. */
export const LIBRARY_ROUTES: ReadonlyArray<Route> = [
  route({
    cacheable: true,
    method: 'GET',
    path: '/library/',
    name: 'listLibraryItems',
    summary: 'List library items, newest publication first.',
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    response: { kind: 'collection', key: 'items', codec: ListedLibraryItemJson, paged: true },
    handle: (services) => call(services.library.list, responses(services).many),
  }),
  route({
    cacheable: true,
    method: 'GET',
    path: '/library/:itemId',
    name: 'getLibraryItem',
    summary:
      'Fetch one library item: a collection of one, or an empty one if it does not exist or is not visible to the caller.',
    access: 'listLibraryItems',
    parameters: GetLibraryItem,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    handle: (services) => call(services.library.list, responses(services).atMostOne),
  }),
  route({
    method: 'POST',
    path: '/library/',
    name: 'createLibraryItem',
    summary: 'Create a library item as a Draft.',
    access: 'createLibraryItem',
    parameters: CreateLibraryItem,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    handle: (services) => write(services.library.create, responses(services).alone),
  }),
  route({
    method: 'POST',
    path: '/library/:itemId',
    name: 'updateLibraryItem',
    summary: 'Update a library item or change its status.',
    access: 'updateLibraryItem',
    parameters: UpdateLibraryItem,
    response: { kind: 'one', codec: LibraryItemJson },
    hasETag: true,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.library.update, responses(services).one),
  }),
  route({
    method: 'POST',
    path: IMAGE_PATH,
    name: 'uploadLibraryImage',
    summary: 'Upload the cover or notification image as the first file part, JPEG or PNG.',
    access: 'uploadLibraryImage',
    parameters: OneLibraryImage,
    upload: 'first',
    response: { kind: 'empty' },
    honoursIfMatch: true,
    faults: [404, 412, 413, 415],
    handle: (services) => upload(services.library.uploadImage, () => EMPTY),
  }),
  route({
    method: 'DELETE',
    path: IMAGE_PATH,
    name: 'removeLibraryImage',
    summary: 'Remove the cover or notification image. Returns the new `itemRelatedLink` of the item.',
    access: 'removeLibraryImage',
    parameters: OneLibraryImage,
    response: { kind: 'one', codec: RelatedLinkJson },
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) =>
      edit(services.library.removeImage, (item: LibraryItem) =>
        json(libraryRelatedLink(services.ports.mediaAddresses, item)),
      ),
  }),
]
