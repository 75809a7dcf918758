import * as O from 'fp-ts/lib/Option.js'
import type { NotificationId } from '../values/ids.ts'
import { addMillis, type Instant, SECOND } from '../values/instant.ts'

/** When there is something to send next. Both may lie in the past. */
export interface Upcoming {
  /** The first notification that no review has taken up, by date and then by id. */
  readonly due: O.Option<{ readonly id: NotificationId; readonly date: Instant }>
  /** When the first retry is due; a device that waits for a paused provider has none. */
  readonly retry: O.Option<Instant>
}

/** A retry waits so long for others that a review serves with it, in milliseconds: a review for each would cost more than it gives. */
export const RETRY_GATHERING = 5 * SECOND

/** A moment at which there is something to do. */
export interface WakeUp {
  readonly at: Instant
  /** What for: a wake-up for the same after the work was done says that the work had no effect. */
  readonly why: string
}

/** Returns the moment of the next review: that of the next due date, or a little after the next retry (G9). */
export const nextReview = ({ due, retry }: Upcoming): O.Option<WakeUp> => {
  const retries = O.map(
    (at: Instant): WakeUp => ({ at: addMillis(at, RETRY_GATHERING), why: `retry at ${at}` }),
  )(retry)
  if (O.isNone(due)) return retries
  const { id, date } = due.value
  return O.isSome(retries) && retries.value.at < date ? retries : O.some({ at: date, why: id })
}
