import { createHash } from 'node:crypto'
import type { Email, Instant } from '@almoner/domain'
import type { DeviceId, DeviceKind, DeviceToken } from '@almoner/domain/people'
import type { DeviceIdentity, LabelId, Language } from '@almoner/domain/values'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Flag } from './columns.ts'

/** Returns the digest of a token's text, which older schemas had in place of {@link identityDigest}. */
export const tokenDigest = (token: DeviceToken): string => createHash('sha256').update(token).digest('hex')

/** Returns the digest that stands for a device in indexes. No text of a token has the same one, as none can begin with NUL. */
export const identityDigest = (identity: DeviceIdentity): string =>
  createHash('sha256').update(`\0${identity}`).digest('hex')

/** A user (F1). `topics` is a JSON array of labels, empty for everything (F6). Language and topics hold since an epoch (F7). */
export interface PersonRow {
  readonly email: Email
  readonly lang: Language
  readonly subscribed: Flag
  readonly topics: Generated<string>
  readonly epoch: Generated<number>
}

/** What a user preferred in earlier epochs: from one up to another, which is the first of the next preference (F7). */
interface FormerPreferenceRow {
  readonly email: Email
  readonly until_epoch: number
  readonly since_epoch: number
  readonly lang: Language
  readonly topics: string
}

/**
 * A device, with its user's preference repeated, topics as {@link FollowRow}: equal to the user's at the end of every transaction. `epoch` is when it last
 * came to its user or changed with the user's preference. The digest is that of its identity (F4), which is too long for an index.
 */
export interface DeviceRow {
  readonly id: GeneratedAlways<DeviceId>
  readonly token_digest: string
  readonly token: DeviceToken
  readonly email: Email
  readonly kind: DeviceKind
  readonly attached_at: Instant
  readonly epoch: number
  readonly lang: Language
  readonly subscribed: Flag
  readonly follows_all: Generated<Flag>
}

/** A label that the subscribed user of a device follows (F6). A device whose user follows everything has none. */
interface FollowRow {
  readonly label_id: LabelId
  readonly lang: Language
  readonly device_id: DeviceId
}

/** A device that was detached as dead and can be restored; it has a separate number. */
export interface DeadDeviceRow {
  readonly id: GeneratedAlways<DeviceId>
  readonly token_digest: string
  readonly token: DeviceToken
  readonly email: Email
  readonly kind: DeviceKind
  readonly attached_at: Instant
  readonly detached_at: Instant
}

/** The one row that counts epochs: one ends with each notification taken up. Before `inbox_epoch` no preferences were kept (F7). */
interface EpochRow {
  readonly id: 1
  readonly value: number
  readonly inbox_epoch: Generated<number>
}

/** The tables of users and their devices. */
export interface DeviceTables {
  readonly person: PersonRow
  readonly former_preference: FormerPreferenceRow
  readonly device: DeviceRow
  readonly follow: FollowRow
  readonly dead_device: DeadDeviceRow
  readonly epoch: EpochRow
}
