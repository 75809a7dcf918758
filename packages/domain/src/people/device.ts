import type { Email } from '../values/addresses.ts'
import type { Branded } from '../values/refined.ts'
import type { Instant } from '../values/time.ts'
import type { DeviceKind } from './destination.ts'
import type { DeviceToken } from './device-token.ts'

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
