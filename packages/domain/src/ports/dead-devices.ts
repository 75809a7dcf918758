import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DeadDevice, DeadOnes } from '../people/dead-device.ts'
import type { Instant } from '../values/instant.ts'
import type { Listing } from '../values/page.ts'
import type { Unavailable } from './unavailable.ts'

/**
 * Devices that were detached because their provider called them dead (G5). Recording deliveries puts them here; a device that its user
 * attaches again is here no more.
 */
export interface DeadDevices {
  /** In the order in which they were detached. A snapshot, as lists of items are. */
  list(which: DeadOnes): Listing<DeadDevice, never>
  /**
   * Attaches the first of them again, as many as one call takes, to those whose they were and as they were: `attachedAt` stays, for a
   * provider's word about the time since then holds.
   * @returns how many: when none, there are no more
   */
  restore(which: DeadOnes): TaskEither<Unavailable, number>
  /** Forgets those detached at this moment or before, as many as one call takes. Gives how many. */
  purge(upto: Instant): TaskEither<Unavailable, number>
}
