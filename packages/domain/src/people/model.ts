import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Caller } from '../access/caller.ts'
import { changesBetween, type FieldChange, type Fields } from '../history/model.ts'
import { Email, parseUrl } from '../values/addresses.ts'
import type { DeviceIdentity, LabelId } from '../values/ids.ts'
import { decode, fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Branded } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import { addMillis, type Instant, MINUTE } from '../values/time.ts'
import {
  type Destination,
  type DeviceKind,
  type DeviceToken,
  destinationOf,
  PROVIDERS,
  type Provider,
} from './destinations.ts'

/** A person who can get notifications (F1). */
export interface User {
  readonly email: Email
  /** The language that the user reads. */
  readonly lang: Language
  /** Whether the user wants notifications. */
  readonly subscribed: boolean
  /** The labels that the user follows; none to follow everything (F6). */
  readonly topics: ReadonlyArray<LabelId>
}

/** The preferences of a user. Omitted fields stay. */
export type PreferenceChange = Partial<Omit<User, 'email'>>

/** A user of an import: without `topics`, those of the user stay (F6). */
export type ImportedUser = Omit<User, 'topics'> & { readonly topics?: User['topics'] | undefined }

/** These topics are no labels (F6). */
export interface UnknownTopics {
  readonly _tag: 'UnknownTopics'
  readonly labelIds: ReadonlyArray<LabelId>
}

/** Returns the failure of users that follow labels which do not exist; undefined if they all do (F6). */
export const unknownTopics = (
  users: ReadonlyArray<Pick<ImportedUser, 'topics'>>,
  exists: (labelId: LabelId) => boolean,
): UnknownTopics | undefined => {
  const named = new Set(users.flatMap(({ topics = [] }) => topics))
  const labelIds = [...named].filter((labelId) => !exists(labelId))
  return labelIds.length === 0 ? undefined : { _tag: 'UnknownTopics', labelIds }
}

/** Returns whether a user wants notifications about a topic; without one every user does (F6). */
const follows = ({ topics }: Pick<User, 'topics'>, labelId: O.Option<LabelId>): boolean =>
  O.isNone(labelId) || topics.length === 0 || topics.includes(labelId.value)

/** Whom a notification is for: subscribed readers of a language, and with a topic only the followers of it and of everything (F6, G12). */
export interface Audience {
  readonly lang: Language
  readonly labelId: O.Option<LabelId>
}

/** Returns whether a notification concerns a reader by language and topic, subscribed or not (F6, F7). */
export const isForReader = (user: Pick<User, 'lang' | 'topics'>, { lang, labelId }: Audience): boolean =>
  user.lang === lang && follows(user, labelId)

/** Returns whether a user is in an audience. */
export const isInAudience = (user: User, audience: Audience): boolean =>
  user.subscribed && isForReader(user, audience)

/** There is no such user (F2). */
export interface UserNotFound {
  readonly _tag: 'UserNotFound'
}

/** The one {@link UserNotFound}. */
export const USER_NOT_FOUND: UserNotFound = { _tag: 'UserNotFound' }

/** A user as the first attached device, or the first preference, makes it: subscribed, in English (F1). */
export const newUser = (email: Email): User => ({ email, lang: 'en', subscribed: true, topics: [] })

/** The user, new if need be, with a change made. */
export const withPreference = (user: User, { lang, subscribed, topics }: PreferenceChange): User => ({
  email: user.email,
  lang: lang ?? user.lang,
  subscribed: subscribed ?? user.subscribed,
  topics: topics ?? user.topics,
})

/** Topics are text as in JSON, as an identifier may hold any separator; empty for everything. */
const preferenceFields = ({ lang, subscribed, topics }: User): Fields => ({
  lang,
  subscribed: String(subscribed),
  topics: topics.length === 0 ? '' : JSON.stringify(topics),
})

/** Returns what an act changed of a user's preference, without the address (K1); all of it if the user is new. */
export const preferenceChanges = (before: User | undefined, after: User): ReadonlyArray<FieldChange> =>
  changesBetween(before === undefined ? { topics: '' } : preferenceFields(before), preferenceFields(after))

/** The store's number of a device. Each attachment gets a new and greater number. */
export type DeviceId = Branded<number, 'DeviceId'>

/** A device that pushes reach, attached to one user at a time (F4). */
export interface Device {
  readonly token: DeviceToken
  readonly email: Email
  readonly kind: DeviceKind
  /** When it was last attached, by whom it belongs to now. */
  readonly attachedAt: Instant
}

/** The user does not hold such a device token (F4). */
export interface DeviceNotFound {
  readonly _tag: 'DeviceNotFound'
}

/** The one {@link DeviceNotFound}. */
export const DEVICE_NOT_FOUND: DeviceNotFound = { _tag: 'DeviceNotFound' }

/** A device as a request names it. */
export type NamedDevice = Pick<Device, 'token' | 'kind'>

const HEX = /^[0-9a-f]+$/i

/** Returns the part of a destination that decides where a push goes; undefined for a provider that a host has added. */
const placeOf = (destination: Destination): string | undefined => {
  switch (destination.provider) {
    case 'fcm':
      return `${destination.form === 'fid' ? 'fid' : 'fcm'}:${destination.token}`
    case 'apns': {
      const { sandbox, token } = destination
      return `${sandbox ? 'apns-sandbox' : 'apns'}:${HEX.test(token) ? token.toLowerCase() : token}`
    }
    case 'webpush': {
      // As a push is sent: without a fragment, the host in lower case, the scheme's own port left out.
      const { origin, pathname, search } = parseUrl(destination.subscription.endpoint)
      return `webpush:${origin}${pathname}${search}`
    }
    default:
      return undefined
  }
}

const identityOf = (token: DeviceToken, kind: DeviceKind): DeviceIdentity => {
  const destination = destinationOf(token, kind)
  const place = destination && placeOf(destination)
  return (place ?? `text:${token}`) as DeviceIdentity
}

/** The identities under which a store may have a device. */
export interface DeviceKeys {
  /** The identity of the device. Every stored device with it is this one. */
  readonly identity: DeviceIdentity
  /** Identities that the same text has as another kind. A stored device with one of them is this one only if its text is equal. */
  readonly otherwise: ReadonlyArray<DeviceIdentity>
}

/**
 * Returns the identities of a device (F4): by provider and environment, APNs hex in any case, with or without a prefix, Web Push by its
 * endpoint. Devices of other kinds are identified by their text. The same text stays one device if its kind changes, as after another
 * `ALMONER_PUSH_DEFAULT`.
 */
export const deviceKeys = ({ token, kind }: NamedDevice): DeviceKeys => {
  const identity = identityOf(token, kind)
  const all = [...PROVIDERS, 'unroutable' as const].map((other) => identityOf(token, other))
  return { identity, otherwise: [...new Set(all)].filter((one) => one !== identity) }
}

/** A device that was detached because its provider called it dead (G5). */
export interface DeadDevice {
  readonly device: Device
  readonly detachedAt: Instant
}

/** How long a dead device can be restored, in milliseconds. */
export const DEAD_DEVICE_RETENTION = 7 * 24 * 60 * MINUTE

/** Some of the dead devices: of one provider, those detached at a moment or later. */
export interface DeadDeviceFilter {
  readonly provider: O.Option<Provider>
  readonly since: O.Option<Instant>
}

/** Whether a dead device is one of them. */
export const matchesFilter = (
  { device, detachedAt }: DeadDevice,
  { provider, since }: DeadDeviceFilter,
): boolean =>
  (O.isNone(provider) || provider.value === device.kind) && (O.isNone(since) || since.value <= detachedAt)

/** Detached at this moment or before, a device is kept no longer. */
export const oldestRetained = (now: Instant): Instant => addMillis(now, -DEAD_DEVICE_RETENTION)

/** The access token has no user, and so no devices (F3). Also: it had one, who was erased meanwhile (L1). */
export interface NoActingUser {
  readonly _tag: 'NoActingUser'
}

/** The one {@link NoActingUser}. */
export const NO_ACTING_USER: NoActingUser = { _tag: 'NoActingUser' }

/**
 * Whose devices and preference a request is about: the user of the access token, and for a `user-manager` the one that the path
 * names. A path that is not used is not looked at (F2, F3).
 */
export const actingUser = (
  caller: Caller,
  inPath: string,
): E.Either<NoActingUser | ValidationFailed, Email> =>
  caller.roles.has('user-manager')
    ? pipe(
        decode(Email)(inPath),
        E.mapLeft(({ errors: [{ message }] }) => validationFailed([fieldError('email', message)])),
      )
    : pipe(
        caller.email,
        E.fromOption(() => NO_ACTING_USER),
      )
