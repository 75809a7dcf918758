import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { DeadDevice, DeadDeviceFilter } from '../people/dead-device.ts'
import type { ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

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
