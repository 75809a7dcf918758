import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../access/caller.ts'
import { type Client, clientDocument } from '../access/model.ts'
import { feedFields } from '../content/fields.ts'
import type { FeedItem } from '../content/model.ts'
import type { Proposal } from '../content/proposals.ts'
import {
  type Identity,
  identityDocument,
  type Passkey,
  passkeyDocument,
  passwordDocument,
  type StoredPassword,
} from '../managers/credentials.ts'
import { type Manager, managerDocument } from '../managers/model.ts'
import type { WorkingCopy } from '../managers/working-copy.ts'
import type { Outcome } from '../notifications/model.ts'
import type { DeviceToken } from '../people/destinations.ts'
import type { DeadDevice, Device, User } from '../people/model.ts'
import { type Email, lowerCased, unicodeHost, withoutSpaceAround } from '../values/addresses.ts'
import type { ClientId, NotificationId } from '../values/ids.ts'
import { integer, isStorable, NOT_STORABLE, nfcOf, refined } from '../values/refined.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'

/** A notification for one device of a person. */
export interface PersonalDelivery {
  /** None if the notification is deleted. */
  readonly notificationId: O.Option<NotificationId>
  /** None if the device is detached. */
  readonly token: O.Option<DeviceToken>
  /** The outcome; `retry` while another attempt is planned, `pending` before the first. */
  readonly state: Outcome | 'retry' | 'pending'
  /** The time of the outcome, or of the next attempt. */
  readonly at: O.Option<Instant>
}

/** A notification that a person has marked as seen (F7). */
export interface PersonalMark {
  /** None if the notification is deleted. */
  readonly notificationId: O.Option<NotificationId>
  readonly seenAt: Instant
}

/** The stored response of an idempotency key that holds the address or a device token of a person (I4). */
export interface PersonalResponse {
  readonly clientId: ClientId
  readonly at: Instant
  readonly body: string
}

/** An access token of a person, without its digest (A10). */
export interface PersonalToken {
  readonly clientId: ClientId
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Instant
}

/** Everything that the service holds about a person, without secrets (L2). */
export interface PersonalRecord {
  readonly user: O.Option<User>
  /** Preferences under which notifications were started that may be in the inbox, the oldest first (F7). */
  readonly formerPreferences: ReadonlyArray<Pick<User, 'lang' | 'topics'>>
  /** The manager with this address (M2). */
  readonly manager: O.Option<Manager>
  /** The number under which the records of changes name the person (K1). */
  readonly number: O.Option<number>
  /** The manager's passkeys, in the order in which they were added (M3). */
  readonly passkeys: ReadonlyArray<Passkey>
  /** The account of an identity provider that signs the manager in (M3). */
  readonly identity: O.Option<Identity>
  /** The manager's password (M3). */
  readonly password: O.Option<StoredPassword>
  /** What the manager has typed and not saved, the latest change first (M7). */
  readonly workingCopies: ReadonlyArray<WorkingCopy>
  /** The proposals that name the manager as their author, and their closed versions, in the order of time (C16). */
  readonly proposals: ReadonlyArray<Proposal>
  /** When the manager made a waiting feed, if there is one (M14). */
  readonly waitingFeed: O.Option<Instant>
  /** In the order in which they were attached. */
  readonly devices: ReadonlyArray<Device>
  /** In the order in which they were detached. */
  readonly deadDevices: ReadonlyArray<DeadDevice>
  readonly deliveries: ReadonlyArray<PersonalDelivery>
  /** In the order of the marks. */
  readonly seen: ReadonlyArray<PersonalMark>
  /** The posts that the person created, newest first. */
  readonly posts: ReadonlyArray<FeedItem>
  /** The clients that are bound to the person, by id. */
  readonly clients: ReadonlyArray<Client>
  /** The person's own access tokens, the first to end first. */
  readonly tokens: ReadonlyArray<PersonalToken>
  readonly responses: ReadonlyArray<PersonalResponse>
}

/** Whether the service holds nothing about a person. */
export const isNothing = (record: PersonalRecord): boolean => {
  const {
    user,
    manager,
    number,
    passkeys,
    identity,
    password,
    workingCopies,
    proposals,
    waitingFeed,
    devices,
    deadDevices,
    deliveries,
    posts,
    clients,
    tokens,
    responses,
    formerPreferences,
    seen,
  } = record
  const copies = [workingCopies, proposals]
  const lists = [passkeys, devices, deadDevices, deliveries, posts, clients, tokens, responses]
  return (
    [user, manager, number, identity, password, waitingFeed].every(O.isNone) &&
    [...lists, ...copies, formerPreferences, seen].every(({ length }) => length === 0)
  )
}

/** A person about whom something is stored, as a search finds it. */
export interface FoundPerson {
  /** The number under which the records of changes name the person (K1). URLs have it in the place of the address. */
  readonly number: number
  readonly email: Email
  /** None for a person who never had a device or a preference, as one who only writes posts. */
  readonly user: O.Option<User>
  /** The number of attached devices. */
  readonly devices: number
}

/** Everything that is stored about a person, with the address. */
export interface NumberedPerson {
  readonly number: number
  readonly email: Email
  readonly record: PersonalRecord
}

/** A device without its token. */
export type ShownDevice = Pick<Device, 'kind' | 'attachedAt'>

/** An overview of a person's data: devices without tokens, and how much there is of the rest (L2). */
export interface PersonOverview {
  readonly number: number
  readonly email: Email
  readonly user: PersonalRecord['user']
  readonly manager: PersonalRecord['manager']
  readonly devices: ReadonlyArray<ShownDevice>
  readonly deadDevices: ReadonlyArray<{ readonly device: ShownDevice; readonly detachedAt: Instant }>
  readonly clients: ReadonlyArray<ClientId>
  readonly posts: number
  readonly deliveries: number
  /** Notifications that are marked as seen (F7). */
  readonly seen: number
  readonly workingCopies: number
  readonly responses: number
}

const withoutToken = ({ kind, attachedAt }: Device): ShownDevice => ({ kind, attachedAt })

/** Leaves the device tokens of a person out: seeing them needs a proof of presence (M10). */
export const overviewOf = ({ number, email, record }: NumberedPerson): PersonOverview => ({
  number,
  email,
  user: record.user,
  manager: record.manager,
  devices: record.devices.map(withoutToken),
  deadDevices: record.deadDevices.map(({ device, detachedAt }) => ({
    device: withoutToken(device),
    detachedAt,
  })),
  clients: record.clients.map(({ id }) => id),
  posts: record.posts.length,
  deliveries: record.deliveries.length,
  seen: record.seen.length,
  workingCopies: record.workingCopies.length,
  responses: record.responses.length,
})

/** The greatest number that every store can hold. */
const LARGEST = 2147483647

/** Reads the number of a person (K1). */
export const PersonNumber = integer(
  'PersonNumber',
  1,
  LARGEST,
  'Number under which the records of changes name the person.',
)

const MAX = 254

/** Returns a part of an address in the form of whole ones (F1): what follows the sign, or names an internationalized host, is a host. */
const searched = (part: string): string => {
  const at = part.lastIndexOf('@')
  const isHost = at >= 0 || /(?:^|\.)xn--/i.test(part)
  return isHost ? `${lowerCased(part.slice(0, at + 1))}${unicodeHost(part.slice(at + 1))}` : lowerCased(part)
}

/** Reads an address or a part of one, in lower case and NFC as addresses are stored (F1, B6). */
export const AddressPart = refined<string>(
  'AddressPart',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const part = nfcOf(withoutSpaceAround(sent))
    const text = part.length <= MAX ? searched(part) : part
    return text !== '' && text.length <= MAX ? E.right(text) : E.left(`must have 1 to ${MAX} characters`)
  },
  { type: 'string', description: 'Email address, or a part of one.', minLength: 1, maxLength: MAX },
)

const orEmpty = <A extends string>(text: O.Option<A>): string => (O.isSome(text) ? text.value : '')

const timeOrEmpty = (time: O.Option<Instant>): string => orEmpty(O.map(toRfc3339)(time))

const preferenceDocument = ({ lang, subscribed, topics }: User) => ({ lang, subscribed, topics })

const deviceDocument = ({ token, kind, attachedAt }: Device) => ({
  token,
  kind,
  attachedAt: toRfc3339(attachedAt),
})

const deadDeviceDocument = ({ device, detachedAt }: DeadDevice) => ({
  ...deviceDocument(device),
  detachedAt: toRfc3339(detachedAt),
})

const deliveryDocument = ({ notificationId, token, state, at }: PersonalDelivery) => ({
  notificationId: orEmpty(notificationId),
  token: orEmpty(token),
  state,
  at: timeOrEmpty(at),
})

const markDocument = ({ notificationId, seenAt }: PersonalMark) => ({
  notificationId: orEmpty(notificationId),
  seenAt: toRfc3339(seenAt),
})

/** Fields as records of changes have them (K1), but the uploaded image as `image`. */
const postDocument = (item: FeedItem) => {
  const { itemRelatedLink: image = '', ...fields } = feedFields(item)
  return {
    itemId: item.id,
    ...fields,
    isDonorRestricted: item.isDonorRestricted,
    image,
    createdAt: toRfc3339(item.createdAt),
    updatedAt: toRfc3339(item.updatedAt),
  }
}

const copyDocument = ({ key, contentType, fields, updatedAt }: WorkingCopy) => ({
  key,
  contentType,
  fields,
  updatedAt: toRfc3339(updatedAt),
})

const proposalDocument = ({ id, contentType, itemId, state, at, publishAt }: Proposal) => ({
  ...{ proposalId: id, contentType, itemId, fields: state },
  at: toRfc3339(at),
  publishAt: timeOrEmpty(publishAt),
})

/** Everything that the service holds about a person, as JSON (L2). */
export type PersonalDocument = ReturnType<typeof personalDocument>

/** Returns everything that the service holds about a person as JSON (L2). Absent text is empty. */
export const personalDocument = ({ email, record }: Pick<NumberedPerson, 'email' | 'record'>) => ({
  email,
  preference: O.toNullable(O.map(preferenceDocument)(record.user)),
  formerPreferences: record.formerPreferences.map(({ lang, topics }) => ({ lang, topics })),
  devices: record.devices.map(deviceDocument),
  deadDevices: record.deadDevices.map(deadDeviceDocument),
  deliveries: record.deliveries.map(deliveryDocument),
  seen: record.seen.map(markDocument),
  posts: record.posts.map(postDocument),
  manager: O.toNullable(O.map(managerDocument)(record.manager)),
  number: O.toNullable(record.number),
  passkeys: record.passkeys.map(passkeyDocument),
  identity: O.toNullable(O.map(identityDocument)(record.identity)),
  password: O.toNullable(O.map(passwordDocument)(record.password)),
  workingCopies: record.workingCopies.map(copyDocument),
  proposals: record.proposals.map(proposalDocument),
  waitingFeed: O.toNullable(O.map((madeAt: Instant) => ({ madeAt: toRfc3339(madeAt) }))(record.waitingFeed)),
  clients: record.clients.map(clientDocument),
  tokens: record.tokens.map(({ clientId, scopes, expiresAt }) => ({
    clientId,
    scope: scopes.join(' '),
    expiresAt: toRfc3339(expiresAt),
  })),
  responses: record.responses.map(({ clientId, at, body }) => ({ clientId, at: toRfc3339(at), body })),
})
