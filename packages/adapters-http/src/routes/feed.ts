import { CreateFeedItem, type FeedItem, ListFeedItems, UpdateFeedItem } from '@almoner/domain'
import { GetFeedItem, OneFeedImage } from '@almoner/domain/content'
import { EMPTY, json } from '../responses/route-response.ts'
import { call, edit, type Route, routeOf, upload, write } from '../route.ts'
import { encodeFeedItem, FeedItemJson, feedRelatedLink, ListedFeedItemJson } from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { itemResponses, RelatedLinkJson } from './item-responses.ts'

const route = routeOf('Feed')

const responses = (services: Services) =>
  itemResponses(services, 'feed', encodeFeedItem(services.ports.mediaAddresses))

/** The interface's table *Feed*, without its labels. */
export const FEED_ROUTES: ReadonlyArray<Route> = [
  route({
    cacheable: true,
    method: 'GET',
    path: '/feed/',
    name: 'listFeedItems',
    summary: 'List feed items, newest post first.',
    access: 'listFeedItems',
    parameters: ListFeedItems,
    response: { kind: 'collection', key: 'items', codec: ListedFeedItemJson, paged: true },
    handle: (services) => call(services.feed.list, responses(services).many),
  }),
  route({
    cacheable: true,
    method: 'GET',
    path: '/feed/:itemId',
    name: 'getFeedItem',
    summary:
      'Fetch one feed item: a collection of one, or an empty one if it does not exist or is not visible to the caller.',
    access: 'listFeedItems',
    parameters: GetFeedItem,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: false },
    hasETag: true,
    handle: (services) => call(services.feed.list, responses(services).atMostOne),
  }),
  route({
    method: 'POST',
    path: '/feed/',
    name: 'createFeedItem',
    summary: 'Create a feed item as a Draft, which a content manager can publish.',
    access: 'createFeedItem',
    parameters: CreateFeedItem,
    response: { kind: 'one', codec: FeedItemJson },
    hasETag: true,
    handle: (services) => write(services.feed.create, responses(services).one),
  }),
  route({
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
    handle: (services) => edit(services.feed.update, responses(services).one),
  }),
  route({
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
  route({
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
