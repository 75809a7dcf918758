import * as O from 'fp-ts/lib/Option.js'
import type { Client } from '../access/model.ts'
import type { FeedItem } from '../content/model.ts'
import type { Identity, Passkey, StoredPassword } from '../managers/credentials.ts'
import type { Manager } from '../managers/model.ts'
import type { WorkingCopy } from '../managers/working-copy.ts'
import type { Outcome } from '../notifications/model.ts'
import type { ClientId, NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/time.ts'
import type { DeviceToken } from './destinations.ts'
import type { DeadDevice, Device, User } from './model.ts'

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

/** The stored response of an idempotency key that holds the address or a device token of a person (I4). */
export interface PersonalResponse {
  readonly clientId: ClientId
  readonly at: Instant
  readonly body: string
}

/** Everything that the service holds about a person, without secrets (L2). */
export interface PersonalRecord {
  readonly user: O.Option<User>
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
  /** In the order in which they were attached. */
  readonly devices: ReadonlyArray<Device>
  /** In the order in which they were detached. */
  readonly deadDevices: ReadonlyArray<DeadDevice>
  readonly deliveries: ReadonlyArray<PersonalDelivery>
  /** The posts that the person created, newest first. */
  readonly posts: ReadonlyArray<FeedItem>
  /** The clients that are bound to the person, by id. */
  readonly clients: ReadonlyArray<Client>
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
    devices,
    deadDevices,
    deliveries,
    posts,
    clients,
    responses,
  } = record
  const lists = [passkeys, workingCopies, devices, deadDevices, deliveries, posts, clients, responses]
  return (
    [user, manager, number, identity, password].every(O.isNone) && lists.every(({ length }) => length === 0)
  )
}
