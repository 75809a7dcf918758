import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** Returns the earliest end of the stored rows; none without rows. */
export interface OldestEnded {
  /** Of the notifications whose per-device rows are stored. */
  readonly deliveryRows: Option<Instant>
  /** Of the notifications. */
  readonly notification: Option<Instant>
}

/** Deletes expired rows of ended notifications (G8). Each call deletes a bounded number; call again until it returns 0. */
export interface Retention {
  /**
   * Deletes per-device rows of a notification that ended at this moment or before: outcomes, recipient snapshots, retries and
   * batches. Its totals stay. Claims on it are lost.
   * @returns how many rows were deleted, at most a few thousand; 0 when there are none left
   */
  purgeDeliveries(endedBy: Instant): TaskEither<Unavailable, number>
  /**
   * Deletes notifications that ended at this moment or before, as {@link Notifications.remove} does.
   * @returns how many, at most some hundreds; 0 when there are none left
   */
  purgeNotifications(endedBy: Instant): TaskEither<Unavailable, number>
  /** Gives the ages that tell whether the two others keep up. */
  oldestEnded(): TaskEither<Unavailable, OldestEnded>
}
