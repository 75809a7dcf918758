import {
  CreateFeedItem,
  type FeedItem,
  ListFeedItems,
  NO_IMAGE,
  OneFeedImage,
  UpdateFeedItem,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { memoize } from '../responses/memoize.ts'
import { EMPTY, json } from '../responses/route-response.ts'
import { type Route, respond, route } from '../route.ts'
import { encodeFeedItem, FeedItemJson, feedRelatedLink } from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { itemResponses, RelatedLinkJson } from './item-responses.ts'

const tag = 'Feed'

/** The responses with items, made once for each API. */
const responses = memoize((services: Services) => itemResponses(services, encodeFeedItem(services.addresses)))

/** The interface's table *Feed*, but for its labels. */
export const FEED_ROUTES: ReadonlyArray<Route> = [
  route({
    cacheable: true,
    method: 'GET',
    path: '/feed/',
    name: 'listFeedItems',
    summary: 'List feed items, newest post first.',
    tag,
    access: 'listFeedItems',
    parameters: ListFeedItems,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    faults: [400],
    handle: (services) => (request, asked) =>
      pipe(services.listFeedItems(request.caller, asked), TE.map(responses(services).many)),
  }),
  route({
    cacheable: true,
    method: 'GET',
    path: '/feed/:itemId',
    name: 'getFeedItem',
    summary:
      'Fetch one feed item: a collection of one, or of none when it does not exist or may not be seen.',
    tag,
    access: 'listFeedItems',
    parameters: ListFeedItems,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: false },
    hasETag: true,
    faults: [400],
    handle: (services) => (request, asked) =>
      pipe(services.listFeedItems(request.caller, asked), TE.flatMap(responses(services).atMostOne)),
  }),
  route({
    method: 'POST',
    path: '/feed/',
    name: 'createFeedItem',
    summary: 'Create a feed item. It is a Draft until a content manager approves it.',
    tag,
    access: 'createFeedItem',
    parameters: CreateFeedItem,
    response: { kind: 'one', codec: FeedItemJson },
    hasETag: true,
    faults: [400],
    handle: (services) => (request, command) =>
      respond(request, responses(services).one, (receipt) =>
        services.createFeedItem(request.caller, command, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: '/feed/:itemId',
    name: 'updateFeedItem',
    summary: 'Edit a feed item, and move it between Draft, Live and Archived.',
    tag,
    access: 'updateFeedItem',
    parameters: UpdateFeedItem,
    response: { kind: 'one', codec: FeedItemJson },
    hasETag: true,
    honoursIfMatch: true,
    faults: [400, 404, 409, 412],
    handle: (services) => (request, command) =>
      respond(request, responses(services).one, (receipt) =>
        services.updateFeedItem(request.caller, command, request.expected, receipt),
      ),
  }),
  route({
    method: 'POST',
    path: '/feed/:itemId/media',
    name: 'uploadFeedImage',
    summary:
      'Upload the image of a feed item: JPEG or PNG, 560 high by 400 wide. Answers its itemRelatedLink.',
    tag,
    access: 'uploadFeedImage',
    parameters: OneFeedImage,
    upload: 'named',
    response: { kind: 'one', codec: RelatedLinkJson },
    honoursIfMatch: true,
    faults: [400, 404, 412, 413, 415],
    handle:
      (services) =>
      ({ upload, ...request }, which) =>
        upload === undefined
          ? TE.left(NO_IMAGE)
          : respond(
              request,
              (item: FeedItem) => json(feedRelatedLink(services.addresses, item)),
              (receipt) => services.uploadFeedImage(request.caller, which, upload, request.expected, receipt),
            ),
  }),
  route({
    method: 'DELETE',
    path: '/feed/:itemId/media/',
    name: 'removeFeedImage',
    summary: 'Remove the image of a feed item.',
    tag,
    access: 'removeFeedImage',
    parameters: OneFeedImage,
    response: { kind: 'empty' },
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => (request, which) =>
      pipe(
        services.removeFeedImage(request.caller, which, request.expected),
        TE.map(() => EMPTY),
      ),
  }),
]
