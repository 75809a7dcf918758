import type { Caller } from '@almoner/domain/access'
import { encodeCursor } from '@almoner/domain/content'
import { ListInbox, MarkSeen } from '@almoner/domain/delivery'
import {
  AttachDevice,
  DetachDevice,
  type Device,
  ListOwnPosts,
  OneUser,
  SetPreference,
} from '@almoner/domain/people'
import type { RawParameters } from '@almoner/domain/values'
import { asJson, json, many } from '../responses/headers.ts'
import { call, type Route, routeOf, type Services, write } from '../route.ts'
import { SuccessJson } from '../serializers/codecs.ts'
import { FeedItemJson } from '../serializers/content.ts'
import { encodeInboxEntry, encodeSeen, InboxEntryJson, SeenJson } from '../serializers/notifications.ts'
import { encodePreference, encodeToken, PreferenceJson, TokenJson } from '../serializers/people.ts'
import { feedResponses } from './content.ts'

const peopleRoute = routeOf('User notification token')

const TOKENS = '/user/:email/notification/token'
const PREFERENCE = '/user/:email/notification/preference'
const INBOX = '/user/:email/notification/inbox'

const inboxErrors = (services: Services) => (caller: Caller, raw: RawParameters) =>
  services.furtherErrors.user(caller, raw, 'readInbox')

const preferenceErrors = (services: Services) => (caller: Caller, raw: RawParameters) =>
  services.furtherErrors.user(caller, raw, 'usePreference')

/** Tokens take no `lim`, so that no page of theirs has a next one. */
const NEVER = (place: never): string => place

/** The interface's table *User notification token*, and the preference and the inbox that go with it (F2, F7). */
export const PEOPLE_ROUTES: ReadonlyArray<Route> = [
  peopleRoute({
    method: 'GET',
    path: TOKENS,
    name: 'listTokens',
    summary: "List a user's device tokens.",
    access: 'listDevices',
    parameters: OneUser,
    response: { kind: 'collection', key: 'tokens', codec: TokenJson, paged: false },
    furtherErrors: (services) => services.furtherErrors.user,
    handle: (services) =>
      call(services.devices.list, many({ key: 'tokens', text: asJson(encodeToken), encodeCursor: NEVER })),
  }),
  peopleRoute({
    method: 'POST',
    path: TOKENS,
    name: 'attachToken',
    summary: 'Attach a device token to a user. A token of another user is moved.',
    access: 'actForUser',
    parameters: AttachDevice,
    response: { kind: 'one', codec: TokenJson },
    furtherErrors: (services) => services.furtherErrors.device,
    handle: (services) => write(services.devices.attach, (device: Device) => json(encodeToken(device))),
  }),
  peopleRoute({
    method: 'DELETE',
    path: `${TOKENS}/:token`,
    name: 'detachToken',
    summary: 'Detach a device token from a user.',
    access: 'actForUser',
    parameters: DetachDevice,
    response: { kind: 'one', codec: SuccessJson },
    faults: [404],
    furtherErrors: (services) => services.furtherErrors.user,
    handle: (services) => call(services.devices.detach, () => json('success')),
  }),
  peopleRoute({
    method: 'GET',
    path: PREFERENCE,
    name: 'getPreference',
    summary: "Fetch a user's language, subscription to notifications and topics.",
    access: 'usePreference',
    parameters: OneUser,
    response: { kind: 'one', codec: PreferenceJson },
    faults: [404],
    furtherErrors: preferenceErrors,
    handle: (services) => call(services.users.getPreference, (user) => json(encodePreference(user))),
  }),
  peopleRoute({
    method: 'PUT',
    path: PREFERENCE,
    name: 'setPreference',
    summary: "Change a user's preference. Omitted fields stay; an unknown user is created.",
    access: 'usePreference',
    parameters: SetPreference,
    response: { kind: 'one', codec: PreferenceJson },
    furtherErrors: preferenceErrors,
    handle: (services) => call(services.users.setPreference, (user) => json(encodePreference(user))),
  }),
  peopleRoute({
    method: 'GET',
    path: INBOX,
    name: 'listInbox',
    summary: 'List the notifications that were meant for a user, latest start first.',
    access: 'readInbox',
    parameters: ListInbox,
    response: { kind: 'collection', key: 'notifications', codec: InboxEntryJson, paged: true },
    furtherErrors: inboxErrors,
    handle: (services) =>
      call(
        services.users.listInbox,
        many({
          key: 'notifications',
          text: asJson(encodeInboxEntry(services.policy.look)),
          encodeCursor,
        }),
      ),
  }),
  peopleRoute({
    method: 'PUT',
    path: `${INBOX}/:id/seen`,
    name: 'markSeen',
    summary: 'Mark a notification of the inbox as seen. The first moment stays.',
    access: 'readInbox',
    parameters: MarkSeen,
    response: { kind: 'one', codec: SeenJson },
    faults: [404],
    furtherErrors: inboxErrors,
    handle: (services) => call(services.users.markSeen, (mark) => json(encodeSeen(mark))),
  }),
]

const personalDataRoute = routeOf('Personal data')

/** Own posts and erasure (L1, L3). */
export const PERSONAL_DATA_ROUTES: ReadonlyArray<Route> = [
  personalDataRoute({
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
  personalDataRoute({
    method: 'GET',
    path: '/user/:email/feed',
    name: 'listOwnPosts',
    summary: 'List the feed items that a user created, in every state, newest first.',
    access: 'actForUser',
    parameters: ListOwnPosts,
    response: { kind: 'collection', key: 'items', codec: FeedItemJson, paged: true },
    furtherErrors: (services) => services.furtherErrors.user,
    handle: (services) => call(services.feed.ownPosts, feedResponses(services).many),
  }),
]
