import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../access/acts.ts'
import type { NoActingUser } from '../people/acting-user.ts'
import type { DeviceKind } from '../people/destination.ts'
import type { Device, DeviceNotFound } from '../people/device.ts'
import type { NamedDevice } from '../people/device-identity.ts'
import type { Email } from '../values/addresses.ts'
import type { ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'

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
  /** How many devices of each kind a notification in this language would go to now: those of its subscribed readers. */
  audience(lang: Language): TaskEither<Unavailable, Readonly<Record<DeviceKind, number>>>
  /** Counts the devices of unknown kind, to which nothing can be sent (F5), of subscribed and other users. */
  countUnroutable(): TaskEither<Unavailable, number>
}
