import {
  CreateFeedItem,
  CreateLibraryItem,
  type FeedItem,
  type LibraryItem,
  ListFeedItems,
  ListLibraryItems,
  type ResultSet,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '@almoner/domain'
import {
  type Cursor,
  encodeCursor,
  FEED_FIELDS,
  GetFeedItem,
  GetLibraryItem,
  type ItemCore,
  LIBRARY_FIELDS,
  OneFeedImage,
  OneLibraryImage,
  type WithIncluded,
} from '@almoner/domain/content'
import type { ContentType, DataPart } from '@almoner/domain/history'
import { EMPTY, etagOf, firstOf, json, many, type RouteResponse } from '../responses/headers.ts'
import {
  call,
  edit,
  namedItem,
  type ReadsOf,
  type RenderedItem,
  type Route,
  routeOf,
  type Services,
  upload,
  write,
} from '../route.ts'
import { IMAGE_URL } from '../serializers/codecs.ts'
import {
  FeedItemJson,
  feedRelatedLink,
  type ItemWriter,
  LibraryItemJson,
  libraryRelatedLink,
  makeItemWriter,
} from '../serializers/content.ts'

/** A URL or `""`, as a JSON string (D3). */
const RelatedLinkJson = IMAGE_URL

/** Renders items without a cache. */
export const renderItems =
  <A>(_contentType: ContentType, render: (item: A) => string) =>
  (item: A): RenderedItem => {
    const text = render(item)
    return { text, bytes: Buffer.from(`,${text}`) }
  }

/** Adds members to the JSON of an item: before the two braces that end it (J4). */
const withMembers = (text: string, members: string): string =>
  members === '' ? text : `${text.slice(0, -2)},${members}}}`

/** Makes the responses with items of one kind. Those of a single item have its ETag (C1, C4, C10). */
const itemResponses = <A extends ItemCore>(
  services: Pick<Services, 'renderItems'>,
  contentType: ContentType,
  writer: ItemWriter,
) => {
  const rendered = (services.renderItems ?? renderItems)(contentType, writer.item)
  const listed = (item: WithIncluded<A>): string => {
    const { text } = rendered(item)
    return item.included === undefined ? text : withMembers(text, writer.included(item, item.included))
  }
  const withETag = (item: A, text: string, open: string, close: string): RouteResponse => ({
    kind: 'json',
    text: `${open}${text}${close}`,
    etag: etagOf(item, text),
  })
  const aloneAs = (item: A, text: string) => withETag(item, text, '{"items":[', ']}')
  const alone = (item: A) => aloneAs(item, rendered(item).text)
  return {
    /** Returns an item as JSON, with what `include` added to it. */
    listed,
    one: (item: A) => withETag(item, rendered(item).text, '', ''),
    alone,
    /** Responds with a Draft, which few read before it changes: it takes no place in the cache of items. */
    created: (item: A) => aloneAs(item, writer.item(item)),
    many: many<WithIncluded<A>, Cursor<string | number>>({
      key: 'items',
      text: listed,
      bytes: (item) => (item.included === undefined ? rendered(item).bytes : Buffer.from(`,${listed(item)}`)),
      encodeCursor,
    }),
    atMostOne: async <P>(listing: ResultSet<A, P>): Promise<RouteResponse> => {
      const item = await firstOf(listing)
      return item === undefined ? { kind: 'json', text: '{"items":[]}' } : alone(item)
    },
  }
}

/** A list is read from its items, and with members that `include` adds, or by a label, from what these are made of. */
const listReads = (contentType: ContentType): ReadsOf => {
  const alone: ReadonlyArray<DataPart> = [contentType]
  const joined: ReadonlyArray<DataPart> = [contentType, 'labels', 'images', 'people']
  return (_path, { include, labelId }) => (include === undefined && labelId === undefined ? alone : joined)
}

const libraryRoute = routeOf('Library')

/** Path of an image of a library item. Another word than these two makes an unknown path (B3). */
export const IMAGE_PATH = '/library/:itemId/media/:image(^cover$|^notification$)'

/** Makes the responses with publications. */
export const libraryResponses = (services: Pick<Services, 'renderItems' | 'ports'>) =>
  itemResponses<LibraryItem>(
    services,
    'library',
    makeItemWriter(LIBRARY_FIELDS, services.ports.mediaAddresses),
  )

/** The interface's table *Library*, without its labels. */
export const LIBRARY_ROUTES: ReadonlyArray<Route> = [
  libraryRoute({
    readsOf: listReads('library'),
    method: 'GET',
    path: '/library/',
    name: 'listLibraryItems',
    summary: 'List library items, newest publication first.',
    access: 'listLibraryItems',
    parameters: ListLibraryItems,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: true },
    handle: (services) => call(services.library.list, libraryResponses(services).many),
  }),
  libraryRoute({
    readsOf: ({ itemId }) => [namedItem('library', itemId)],
    method: 'GET',
    path: '/library/:itemId',
    name: 'getLibraryItem',
    summary:
      'Fetch one library item: a collection of one, or an empty one if it does not exist or is not visible to the caller.',
    access: 'listLibraryItems',
    parameters: GetLibraryItem,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    handle: (services) => call(services.library.list, libraryResponses(services).atMostOne),
  }),
  libraryRoute({
    method: 'POST',
    path: '/library/',
    name: 'createLibraryItem',
    summary: 'Create a library item as a Draft.',
    access: 'createLibraryItem',
    parameters: CreateLibraryItem,
    response: { kind: 'collection', key: 'items', codec: LibraryItemJson, paged: false },
    hasETag: true,
    handle: (services) => write(services.library.create, libraryResponses(services).created),
  }),
  libraryRoute({
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
    handle: (services) => edit(services.library.update, libraryResponses(services).one),
  }),
  libraryRoute({
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
  libraryRoute({
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

const feedRoute = routeOf('Feed')

/** Makes the responses with posts. */
export const feedResponses = (services: Pick<Services, 'renderItems' | 'ports'>) =>
  itemResponses<FeedItem>(services, 'feed', makeItemWriter(FEED_FIELDS, services.ports.mediaAddresses))

/** The interface's table *Feed*, without its labels. */
export const FEED_ROUTES: ReadonlyArray<Route> = [
  feedRoute({
    readsOf: listReads('feed'),
    method: 'GET',
    path: '/feed/',
    name: 'listFeedItems',
    summary: 'List feed items, newest post first.',
    access: 'listFeedItems',
    parameters: ListFeedItems,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    handle: (services) => call(services.feed.list, feedResponses(services).many),
  }),
  feedRoute({
    readsOf: ({ itemId }) => [namedItem('feed', itemId)],
    method: 'GET',
    path: '/feed/:itemId',
    name: 'getFeedItem',
    summary:
      'Fetch one feed item: a collection of one, or an empty one if it does not exist or is not visible to the caller.',
    access: 'listFeedItems',
    parameters: GetFeedItem,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: false },
    hasETag: true,
    handle: (services) => call(services.feed.list, feedResponses(services).atMostOne),
  }),
  feedRoute({
    method: 'POST',
    path: '/feed/',
    name: 'createFeedItem',
    summary: 'Create a feed item as a Draft, which a content manager can publish.',
    access: 'createFeedItem',
    parameters: CreateFeedItem,
    response: { kind: 'one', codec: FeedItemJson },
    hasETag: true,
    handle: (services) => write(services.feed.create, feedResponses(services).one),
  }),
  feedRoute({
    method: 'POST',
    path: '/feed/:itemId',
    name: 'updateFeedItem',
    summary: 'Update a feed item or change its status.',
    access: 'updateFeedItem',
    parameters: UpdateFeedItem,
    response: { kind: 'one', codec: FeedItemJson },
    hasETag: true,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.feed.update, feedResponses(services).one),
  }),
  feedRoute({
    method: 'POST',
    path: '/feed/:itemId/media',
    name: 'uploadFeedImage',
    summary:
      'Upload the image of a feed item: JPEG or PNG, 400 wide and 560 high. Returns its `itemRelatedLink`.',
    access: 'uploadFeedImage',
    parameters: OneFeedImage,
    upload: 'named',
    response: { kind: 'one', codec: RelatedLinkJson },
    honoursIfMatch: true,
    faults: [404, 412, 413, 415],
    handle: (services) =>
      upload(services.feed.uploadImage, (item: FeedItem) =>
        json(feedRelatedLink(services.ports.mediaAddresses, item)),
      ),
  }),
  feedRoute({
    method: 'DELETE',
    path: '/feed/:itemId/media/',
    name: 'removeFeedImage',
    summary: 'Remove the image of a feed item.',
    access: 'removeFeedImage',
    parameters: OneFeedImage,
    response: { kind: 'empty' },
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.feed.removeImage, () => EMPTY),
  }),
]
