import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DeskCounts } from '../desk/desk.ts'
import type { Month, PublishedCount } from '../statistics/months.ts'
import type { Survey } from '../statistics/survey.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** A service by numbers. */
export interface Statistics {
  /**
   * Counts a service, all at one moment, while writes go on. The deliveries are those of notifications that have not been deleted, by the
   * day on which their devices got an outcome, or on which the notification ended where the rows of its devices are deleted (G8).
   * @param days the beginnings of days, oldest first; each ends where the next one begins, the last does not end
   */
  survey(days: ReadonlyArray<Instant>): TaskEither<Unavailable, Survey>
  /** Counts the work that waits for content managers (`countDesk`). */
  desk(): TaskEither<Unavailable, DeskCounts>
  /**
   * Counts the Live items of months by language, at one moment (`countPublished`).
   * @param months as `lastMonths` returns them: the last one is only the end of the one before
   * @returns a count for each month but the last
   */
  published(months: ReadonlyArray<Month>): TaskEither<Unavailable, ReadonlyArray<PublishedCount>>
}
