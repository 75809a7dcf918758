import type * as O from 'fp-ts/lib/Option.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../access/acts.ts'
import type { ChangesPolicy, ChangesPorts } from '../changes/ports.ts'
import type { Email } from '../values/addresses.ts'
import type { ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { DefaultProvider, DeviceCodec, DeviceKind, PushHost } from './destinations.ts'
import type {
  Audience,
  DeadDevice,
  DeadDeviceFilter,
  Device,
  DeviceNotFound,
  ImportedUser,
  NamedDevice,
  NoActingUser,
  PreferenceChange,
  UnknownTopics,
  User,
} from './model.ts'

/** What people and the areas before it ask of the world. */
export interface PeoplePorts extends ChangesPorts {
  readonly users: Users
  readonly devices: Devices
  readonly deadDevices: DeadDevices
}

/** What a deployment decides for people and the areas before it. */
export interface PeoplePolicy extends ChangesPolicy {
  /** The provider of device tokens that tell none (F5). */
  readonly pushDefault: O.Option<DefaultProvider>
  /** Further kinds of devices that the host adds (F5). All processes on a database need the same. */
  readonly deviceCodecs?: ReadonlyArray<DeviceCodec>
  /** Where Web Push endpoints may be (F5). */
  readonly webPushHosts: ReadonlyArray<PushHost>
}

/**
 * Devices that were detached because their provider called them dead (G5). Recording deliveries puts them here; a device that its user
 * attaches again is here no more.
 */
export interface DeadDevices {
  /** In the order in which they were detached. A snapshot, as lists of items are. */
  list(which: DeadDeviceFilter): ResultSet<DeadDevice, never>
  /**
   * Attaches a bounded number of them again, unchanged, to their users. `attachedAt` stays, because a provider's report about the time since
   * then still applies.
   * Leaves a record, unless there are none (K1).
   * @returns their number; 0 when there are no more
   */
  restore(which: DeadDeviceFilter, act?: TimedAct): TaskEither<Unavailable, number>
  /** Deletes a bounded number of those detached at this moment or before. Returns their number. */
  purge(upto: Instant): TaskEither<Unavailable, number>
}

/** The devices of users (F4). */
export interface Devices {
  /** The devices of a user, in the order in which they were first attached; none for an unknown user. A snapshot, as lists of items are. */
  ofUser(email: Email): ResultSet<Device, never>
  /**
   * Attaches a device to its user, who is made if need be (F1). Every attached or dead device with the same identity (`deviceKeys`) is this one:
   * one of another user moves; one of this user has its token, kind and `attachedAt` renewed (F4). The receipt is kept in the same transaction.
   * A new, moved or other device leaves a record about its user, without the token (K1).
   * Fails with NoActingUser if the act depends on a binding that has ended (L1).
   */
  attach(
    device: Device,
    receipt?: Receipt<Device>,
    act?: TimedAct,
  ): TaskEither<NoActingUser | Unavailable, void>
  /**
   * Detaches the devices of a user with the identity of this one (F4). DeviceNotFound if there is none; NoActingUser as for attaching, which
   * comes first.
   */
  detach(
    email: Email,
    device: NamedDevice,
    act?: TimedAct,
  ): TaskEither<NoActingUser | DeviceNotFound | Unavailable, void>
  /**
   * How many devices of each kind a notification would go to now: those of subscribed readers of its language, with a topic only of the
   * followers of it and of everything (F6, G12).
   */
  audience(audience: Audience): TaskEither<Unavailable, Readonly<Record<DeviceKind, number>>>
  /** How many people an audience has who follow its topic and have a device; none without a topic (G12). */
  followers(audience: Audience): TaskEither<Unavailable, number>
  /** Counts the devices of unknown kind, to which nothing can be sent (F5), of subscribed and other users. */
  countUnroutable(): TaskEither<Unavailable, number>
}

/** The users: whom an email belongs to, in which language and whether at all they want notifications (F1). */
export interface Users {
  /** Returns the user; none for an unknown email. */
  find(email: Email): TaskEither<Unavailable, Option<User>>
  /** Every user by email, in batches, as one consistent snapshot. A fault throws out of the iteration. */
  all(): AsyncIterable<ReadonlyArray<User>>
  /**
   * Changes the preference of a user, who is made if need be (F1, F2), atomically. Gives the user as it is then. A change leaves a record (K1).
   * Fails with NoActingUser if the act depends on a binding that has ended (L1), with UnknownTopics if a topic is no label (F6).
   */
  prefer(
    email: Email,
    change: PreferenceChange,
    act?: TimedAct,
  ): TaskEither<NoActingUser | UnknownTopics | Unavailable, User>
  /**
   * Makes or replaces all of these users; of two with the same email the later counts. Each user is written whole, except topics that
   * are left out (F6). Fails with UnknownTopics if a topic is no label. Large imports may take several transactions, so that others are not kept waiting: a fault in
   * between leaves the first of them written, and the same import may be run again. Each transaction that changes users leaves one record (K1).
   */
  putAll(users: ReadonlyArray<ImportedUser>, act?: TimedAct): TaskEither<UnknownTopics | Unavailable, void>
}
