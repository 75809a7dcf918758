import type { DeviceId } from '../people/model.ts'

/** What scatters devices: a factor, and a prime number of milliseconds. Neighbouring numbers come apart. */
export const SCATTER = { factor: 7919, spread: 10_007 }

/**
 * Returns how much earlier a released device is due, in milliseconds: devices of one origin are mixed and not sent to by number, so that those of one
 * kind do not come in a row (G15). Stores do the same in SQL.
 */
export const scatter = (deviceId: DeviceId): number => (deviceId * SCATTER.factor) % SCATTER.spread
