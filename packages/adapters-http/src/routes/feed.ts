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
import { remember } from '../responses/memoize.ts'
import { EMPTY, json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import { encodeFeedItem, FeedItemAnswer, feedRelatedLink } from '../serializers/items.ts'
import type { Services } from '../services.ts'
import { answered } from './answered.ts'
import { itemAnswers, RelatedLinkAnswer } from './item-responses.ts'

const tag = 'Feed'

/** Items as they are answered, for each server. */
const answers = remember((services: Services) => itemAnswers(encodeFeedItem(services.addresses)))

/** The interface's table *Feed*, but for its labels. */
export const FEED_ROUTES: ReadonlyArray<Route> = [
  route({
    shared: true,
    method: 'GET',
    path: '/feed/',
    name: 'listFeedItems',
    summary: 'List feed items, newest post first.',
    tag,
    access: 'listFeedItems',
    parameters: ListFeedItems,
    answer: { kind: 'collection', key: 'items', codec: FeedItemAnswer, paged: true },
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(services.listFeedItems(ask.caller, asked), TE.map(answers(services).many)),
  }),
  route({
    shared: true,
    method: 'GET',
    path: '/feed/:itemId',
    name: 'getFeedItem',
    summary:
      'Fetch one feed item: a collection of one, or of none when it does not exist or may not be seen.',
    tag,
    access: 'listFeedItems',
    parameters: ListFeedItems,
    answer: { kind: 'collection', key: 'items', codec: FeedItemAnswer, paged: false },
    tagged: true,
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(services.listFeedItems(ask.caller, asked), TE.flatMap(answers(services).atMostOne)),
  }),
  route({
    method: 'POST',
    path: '/feed/',
    name: 'createFeedItem',
    summary: 'Create a feed item. It is a Draft until a content manager approves it.',
    tag,
    access: 'createFeedItem',
    parameters: CreateFeedItem,
    answer: { kind: 'one', codec: FeedItemAnswer },
    tagged: true,
    faults: [400],
    handle: (services) => (ask, command) =>
      answered(ask, answers(services).one, (receipt) =>
        services.createFeedItem(ask.caller, command, receipt),
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
    answer: { kind: 'one', codec: FeedItemAnswer },
    tagged: true,
    guarded: true,
    faults: [400, 404, 409, 412],
    handle: (services) => (ask, command) =>
      answered(ask, answers(services).one, (receipt) =>
        services.updateFeedItem(ask.caller, command, ask.expected, receipt),
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
    answer: { kind: 'one', codec: RelatedLinkAnswer },
    guarded: true,
    faults: [400, 404, 412, 413, 415],
    handle:
      (services) =>
      ({ upload, ...ask }, which) =>
        upload === undefined
          ? TE.left(NO_IMAGE)
          : answered(
              ask,
              (item: FeedItem) => json(feedRelatedLink(services.addresses, item)),
              (receipt) => services.uploadFeedImage(ask.caller, which, upload, ask.expected, receipt),
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
    answer: { kind: 'empty' },
    guarded: true,
    faults: [404, 409, 412],
    handle: (services) => (ask, which) =>
      pipe(
        services.removeFeedImage(ask.caller, which, ask.expected),
        TE.map(() => EMPTY),
      ),
  }),
]
