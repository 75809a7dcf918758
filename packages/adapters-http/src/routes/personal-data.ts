import { ListOwnPosts } from '@almoner/domain'
import { call, type Route, routeOf } from '../route.ts'
import { encodeFeedItem, FeedItemJson } from '../serializers/items.ts'
import { itemResponses } from './item-responses.ts'

const route = routeOf('Personal data')

/** What a user created (L3). */
export const PERSONAL_DATA_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/user/:email/feed',
    name: 'listOwnPosts',
    summary: 'List the feed items that a user created, in every state, newest first.',
    access: 'actForUser',
    parameters: ListOwnPosts,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    furtherErrors: (services) => services.furtherUserErrors,
    handle: (services) =>
      call(services.listOwnPosts, itemResponses(services, 'feed', encodeFeedItem(services.addresses)).many),
  }),
]
