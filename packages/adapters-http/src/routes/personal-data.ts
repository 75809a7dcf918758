import { ListOwnPosts, OneUser } from '@almoner/domain/people'
import { json } from '../responses/route-response.ts'
import { call, type Route, routeOf } from '../route.ts'
import { SuccessJson } from '../serializers/codecs.ts'
import { encodeFeedItem, FeedItemJson } from '../serializers/items.ts'
import { itemResponses } from './item-responses.ts'

const route = routeOf('Personal data')

/** Own posts and erasure (L1, L3). */
export const PERSONAL_DATA_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'DELETE',
    path: '/user/:email',
    name: 'eraseUser',
    summary: 'Erase everything that is stored about a person.',
    access: 'eraseUser',
    parameters: OneUser,
    response: { kind: 'one', codec: SuccessJson },
    faults: [404, 409],
    handle: (services) => call(services.users.erase, () => json('success')),
  }),
  route({
    method: 'GET',
    path: '/user/:email/feed',
    name: 'listOwnPosts',
    summary: 'List the feed items that a user created, in every state, newest first.',
    access: 'actForUser',
    parameters: ListOwnPosts,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    furtherErrors: (services) => services.furtherErrors.user,
    handle: (services) =>
      call(
        services.feed.ownPosts,
        itemResponses(services, 'feed', encodeFeedItem(services.ports.mediaAddresses)).many,
      ),
  }),
]
