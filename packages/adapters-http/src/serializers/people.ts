import { DUTY_NAMES, SCOPES } from '@almoner/domain/access'
import { FEED_FIELDS } from '@almoner/domain/content'
import { CONTENT_TYPES } from '@almoner/domain/history'
import type { Reader } from '@almoner/domain/operations'
import { type Device, DeviceToken, type User } from '@almoner/domain/people'
import type {
  FoundPeople,
  FoundPerson,
  PersonalDocument,
  PersonOverview,
  ShownDevice,
} from '@almoner/domain/personal-data'
import { Email, LabelId, type Language, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, optional, textLike, under } from './codecs.ts'
import { fieldCodecs } from './content.ts'

/** A device token as callers see it: exactly as it was sent (F4, F5). */
export const TokenJson = under(
  'token',
  { email: textLike(Email), device_token: textLike(DeviceToken) },
  'DeviceToken',
)

/** A user's preference as callers see it, the email in lower case (F2). */
export const PreferenceJson = under('preference', {
  email: textLike(Email),
  lang: LANG,
  subscribed: t.boolean,
  topics: t.array(textLike(LabelId)),
})

export const encodeToken = ({ email, token }: Device): t.OutputOf<typeof TokenJson> => ({
  token: { email, device_token: token },
})

export const encodePreference = ({
  email,
  lang,
  subscribed,
  topics,
}: User): t.OutputOf<typeof PreferenceJson> => ({
  preference: { email, lang, subscribed, topics: [...topics] },
})

/** Null for a person who never had a device or a preference. */
const PREFERENCE = {
  lang: t.union([LANG, t.null]),
  subscribed: t.union([t.boolean, t.null]),
}

const TOPICS = { topics: t.union([t.array(t.string), t.null]) }

const FoundUserJson = under(
  'user',
  { number: t.Int, email: t.string, ...PREFERENCE, devices: t.Int },
  'FoundUser',
)

/** The people that a search has found, by the numbers of the records of changes (K1). */
export const FoundUsersJson = t.strict({ users: t.array(FoundUserJson), hasMore: t.boolean }, 'FoundUsers')

const DEVICE = { kind: t.string, lang: PREFERENCE.lang, lastSeenAt: t.string }

/** The data of a person: devices without tokens, and how much of the rest (L2). */
export const UserJson = under('user', {
  number: t.Int,
  email: t.string,
  ...PREFERENCE,
  ...TOPICS,
  devices: t.array(t.strict(DEVICE)),
  removedDevices: t.array(t.strict({ ...DEVICE, removedAt: t.string })),
  clients: t.array(t.string),
  duty: t.union([literals(DUTY_NAMES), t.null]),
  posts: t.Int,
  deliveries: t.Int,
  seen: t.Int,
  workingCopies: t.Int,
  responses: t.Int,
})

const langOf = (user: O.Option<User>): Language | null => (O.isSome(user) ? user.value.lang : null)

const preferenceOf = (user: O.Option<User>) => ({
  lang: langOf(user),
  subscribed: O.isSome(user) ? user.value.subscribed : null,
})

const encodeFoundUser = ({
  number,
  email,
  user,
  devices,
}: FoundPerson): t.OutputOf<typeof FoundUserJson> => ({
  user: { number: int(number), email, ...preferenceOf(user), devices: int(devices) },
})

/** Writes what a search has found. */
export const encodeFoundUsers = ({ people, hasMore }: FoundPeople): t.OutputOf<typeof FoundUsersJson> => ({
  users: people.map(encodeFoundUser),
  hasMore,
})

/** Apps attach their token at each start, so that a device was last seen when it was last attached (F4). */
const deviceOf =
  (user: O.Option<User>) =>
  ({ kind, attachedAt }: ShownDevice) => ({ kind, lang: langOf(user), lastSeenAt: toRfc3339(attachedAt) })

/** Writes the data of a person. */
export const encodeUser = (person: PersonOverview): t.OutputOf<typeof UserJson> => {
  const { user, manager, devices, deadDevices, posts, deliveries, seen, workingCopies, responses } = person
  const encodeDevice = deviceOf(user)
  return {
    user: {
      number: int(person.number),
      email: person.email,
      ...preferenceOf(user),
      topics: O.isSome(user) ? [...user.value.topics] : null,
      devices: devices.map(encodeDevice),
      removedDevices: deadDevices.map(({ device, detachedAt }) => ({
        ...encodeDevice(device),
        removedAt: toRfc3339(detachedAt),
      })),
      clients: person.clients.map((id) => id),
      duty: O.isSome(manager) ? manager.value.duty : null,
      posts: int(posts),
      deliveries: int(deliveries),
      seen: int(seen),
      workingCopies: int(workingCopies),
      responses: int(responses),
    },
  }
}

const DeviceDocumentJson = t.strict({ token: t.string, kind: t.string, attachedAt: t.string })

const { itemRelatedLink: _, ...FIELDS_OF_POSTS } = fieldCodecs(FEED_FIELDS)

const PostDocumentJson = t.strict({
  itemId: t.string,
  ...FIELDS_OF_POSTS,
  isDonorRestricted: t.boolean,
  image: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

const ManagerDocumentJson = t.strict({
  email: t.string,
  name: t.string,
  lang: LANG,
  duty: t.string,
  disabled: t.boolean,
  timeZone: optional(t.string),
})

const ClientDocumentJson = t.strict({
  client_id: t.string,
  name: t.string,
  scope: t.string,
  roles: t.array(t.string),
  email: t.string,
  disabled: t.boolean,
  for_people: t.boolean,
  public: t.boolean,
  audience: t.string,
})

/** Everything that the service holds about a person, as `almoner user export` prints it (L2). */
export const PersonalDocumentJson = t.strict(
  {
    email: t.string,
    preference: t.union([t.strict({ lang: LANG, subscribed: t.boolean, topics: t.array(t.string) }), t.null]),
    devices: t.array(DeviceDocumentJson),
    deadDevices: t.array(t.strict({ ...DeviceDocumentJson.type.props, detachedAt: t.string })),
    formerPreferences: t.array(t.strict({ lang: LANG, topics: t.array(t.string) })),
    seen: t.array(t.strict({ notificationId: t.string, seenAt: t.string })),
    deliveries: t.array(
      t.strict({ notificationId: t.string, token: t.string, state: t.string, at: t.string }),
    ),
    posts: t.array(PostDocumentJson),
    manager: t.union([ManagerDocumentJson, t.null]),
    number: t.union([t.Int, t.null]),
    passkeys: t.array(
      t.strict({ name: t.string, createdAt: t.string, lastUsedAt: t.union([t.string, t.null]) }),
    ),
    identity: t.union([
      t.strict({ issuer: t.string, subject: t.string, linkedAt: t.string, lastUsedAt: t.string }),
      t.null,
    ]),
    password: t.union([
      t.strict({
        changedAt: t.string,
        lastUsedAt: t.union([t.string, t.null]),
        recoveryCodesLeft: t.Int,
      }),
      t.null,
    ]),
    workingCopies: t.array(
      t.strict({
        key: t.string,
        contentType: literals(CONTENT_TYPES),
        fields: t.record(t.string, t.string),
        updatedAt: t.string,
      }),
    ),
    proposals: t.array(
      t.strict({
        ...{ proposalId: t.string, contentType: literals(CONTENT_TYPES), itemId: t.string },
        fields: t.record(t.string, t.string),
        ...{ at: t.string, publishAt: t.string },
      }),
    ),
    waitingFeed: t.union([t.strict({ madeAt: t.string }), t.null]),
    clients: t.array(ClientDocumentJson),
    tokens: t.array(t.strict({ clientId: t.string, scope: t.string, expiresAt: t.string })),
    responses: t.array(t.strict({ clientId: t.string, at: t.string, body: t.string })),
  } satisfies Readonly<Record<keyof PersonalDocument, t.Mixed>>,
  'PersonalDocument',
)

/** A kind of reader, and whether it gets an item (M7). */
export const ReaderJson = under('reader', { role: literals(SCOPES), lang: LANG, visible: t.boolean })

/** Writes a kind of reader. */
export const encodeReader = ({ role, lang, visible }: Reader): t.OutputOf<typeof ReaderJson> => ({
  reader: { role, lang, visible },
})
