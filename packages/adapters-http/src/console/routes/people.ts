import { ShowReaders } from '@almoner/domain/operations'
import { FindPeople, ListPostsOfPerson, OnePerson } from '@almoner/domain/personal-data'
import { json } from '../../responses/headers.ts'
import { call, type Route, routeOf, type Services } from '../../route.ts'
import { feedResponses } from '../../routes/content.ts'
import { SuccessJson } from '../../serializers/codecs.ts'
import { FeedItemJson } from '../../serializers/content.ts'
import {
  encodeFoundUsers,
  encodeReader,
  encodeUser,
  FoundUsersJson,
  PersonalDocumentJson,
  ReaderJson,
  UserJson,
} from '../../serializers/people.ts'

const usersRoute = routeOf('Users')

const ONE = '/users/:number'

const FOR_OPERATORS = { access: 'lookUpUsers', confidential: true } as const

/** People and their stored data. URLs have a number, never an address (L1 to L3). */
export const USER_ROUTES: ReadonlyArray<Route> = [
  usersRoute({
    ...FOR_OPERATORS,
    method: 'POST',
    path: '/users/search',
    name: 'findUsers',
    summary: 'Find at most 20 people by their email address or a part of it.',
    parameters: FindPeople,
    response: { kind: 'one', codec: FoundUsersJson },
    handle: (services) => call(services.users.find, (found) => json(encodeFoundUsers(found))),
  }),
  usersRoute({
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
  usersRoute({
    ...FOR_OPERATORS,
    method: 'GET',
    path: `${ONE}/feed`,
    name: 'listPostsOfUser',
    summary: 'List the feed items that a person created, in every state, newest first.',
    parameters: ListPostsOfPerson,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    faults: [404],
    handle: (services) => call(services.users.listPosts, feedResponses(services).many),
  }),
  usersRoute({
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
  usersRoute({
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

const readersRoute = routeOf('Readers')

const readers = (
  name: string,
  path: string,
  what: string,
  useCase: (services: Services) => Services['console']['showLibraryReaders'],
): Route =>
  readersRoute({
    method: 'GET',
    path: `${path}/:itemId/readers`,
    name,
    summary: `Show which readers get ${what}, by scope and language.`,
    access: 'showReaders',
    parameters: ShowReaders,
    response: { kind: 'collection', key: 'readers', codec: ReaderJson, paged: false },
    faults: [404],
    handle: (services) => call(useCase(services), (found) => json({ readers: found.map(encodeReader) })),
  })

/** Who sees an item, by the rule of the lists (A3, C9). */
export const READER_ROUTES: ReadonlyArray<Route> = [
  readers(
    'showLibraryReaders',
    '/library',
    'a library item',
    (services) => services.console.showLibraryReaders,
  ),
  readers('showFeedReaders', '/feed', 'a feed item', (services) => services.console.showFeedReaders),
]
