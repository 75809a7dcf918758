import type { DeviceKind } from '../people/destination.ts'

/** Devices from which on a person must prove presence to schedule a notification (M4). */
export const LARGE_PUSH = 1000

/** Returns whether a notification that would go to these devices is a large push (M4). */
export const isLargePush = (audience: Readonly<Record<DeviceKind, number>>): boolean =>
  Object.values(audience).reduce((sum, devices) => sum + devices, 0) >= LARGE_PUSH
