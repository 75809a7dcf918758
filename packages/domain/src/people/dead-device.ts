import * as O from 'fp-ts/lib/Option.js'
import { addMillis, type Instant, MINUTE } from '../values/time.ts'
import type { Provider } from './destination.ts'
import type { Device } from './device.ts'

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
