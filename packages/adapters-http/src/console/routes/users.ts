import { FindPeople, ListPostsOfPerson, OnePerson } from '@almoner/domain/personal-data'
import { json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { itemResponses } from '../../routes/item-responses.ts'
import { SuccessJson } from '../../serializers/codecs.ts'
import { encodeFeedItem, FeedItemJson } from '../../serializers/items.ts'
import { PersonalDocumentJson } from '../../serializers/personal-document.ts'
import { encodeFoundUsers, encodeUser, FoundUsersJson, UserJson } from '../../serializers/users.ts'

const route = routeOf('Users')

const ONE = '/users/:number'

const FOR_OPERATORS = { access: 'lookUpUsers', confidential: true } as const

/** People and their stored data. URLs have a number, never an address (L1 to L3). */
export const USER_ROUTES: ReadonlyArray<Route> = [
  route({
    ...FOR_OPERATORS,
    method: 'POST',
    path: '/users/search',
    name: 'findUsers',
    summary: 'Find at most 20 people by their email address or a part of it.',
    parameters: FindPeople,
    response: { kind: 'one', codec: FoundUsersJson },
    handle: (services) => call(services.users.find, (found) => json(encodeFoundUsers(found))),
  }),
  route({
    ...FOR_OPERATORS,
    method: 'GET',
    path: ONE,
    name: 'showUser',
    summary: 'Show a person: preference, devices without tokens, and how much else is stored.',
    parameters: OnePerson,
    response: { kind: 'one', codec: UserJson },
    faults: [404],
    handle: (services) => call(services.users.show, (person) => json(encodeUser(person))),
  }),
  route({
    ...FOR_OPERATORS,
    method: 'GET',
    path: `${ONE}/feed`,
    name: 'listPostsOfUser',
    summary: 'List the feed items that a person created, in every state, newest first.',
    parameters: ListPostsOfPerson,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    faults: [404],
    handle: (services) =>
      call(
        services.users.listPosts,
        itemResponses(services, 'feed', encodeFeedItem(services.ports.mediaAddresses)).many,
      ),
  }),
  route({
    ...FOR_OPERATORS,
    access: 'exportUser',
    method: 'POST',
    path: `${ONE}/export`,
    name: 'exportUser',
    summary: 'Return everything that is stored about a person, as `almoner user export` prints it.',
    parameters: OnePerson,
    response: { kind: 'one', codec: PersonalDocumentJson },
    faults: [404],
    handle: (services) => call(services.users.export, json),
  }),
  route({
    ...FOR_OPERATORS,
    access: 'eraseUser',
    method: 'DELETE',
    path: ONE,
    name: 'eraseUserByNumber',
    summary: 'Erase everything that is stored about a person.',
    parameters: OnePerson,
    response: { kind: 'one', codec: SuccessJson },
    faults: [404, 409],
    handle: (services) => call(services.users.eraseByNumber, () => json('success')),
  }),
]
