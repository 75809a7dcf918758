import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { NotificationId } from '../values/ids.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import type { Origin } from './origin.ts'

/** When there is something to send next. Each time may lie in the past. */
export interface Upcoming {
  /** The first notification that no review has taken up, by date and then by id. */
  readonly due: O.Option<{ readonly id: NotificationId; readonly date: Instant }>
  /** When the first retry is due; a device that waits for its origin has none. */
  readonly retry: O.Option<Instant>
  /** When devices may go on that wait for an origin, or one of them as a probe (G15): of several origins the first. */
  readonly origin: O.Option<{ readonly origin: Origin; readonly at: Instant }>
  /** When the first lease ends: its batch can be taken over, unless its holder renews it. */
  readonly lease: O.Option<Instant>
}

/** A retry waits so long for others that a review serves with it, in milliseconds: a review for each would cost more than it gives. */
export const RETRY_GATHERING = 5 * SECOND

/** A moment at which there is something to do. */
export interface WakeUp {
  readonly at: Instant
  /** What for: a wake-up for the same after the work was done says that the work had no effect. */
  readonly why: string
}

/** Returns the moment of the next review: that of the next due date, or a little after the next retry, or the end of a lease (G9). */
export const nextReview = ({ due, retry, origin, lease }: Upcoming): O.Option<WakeUp> => {
  const all: ReadonlyArray<O.Option<WakeUp>> = [
    O.map(({ id, date }: { readonly id: NotificationId; readonly date: Instant }) => ({
      at: date,
      why: id as string,
    }))(due),
    O.map((at: Instant) => ({ at: addMillis(at, RETRY_GATHERING), why: `retry at ${at}` }))(retry),
    O.map((one: { readonly origin: Origin; readonly at: Instant }) => ({
      at: one.at,
      why: `${one.origin} at ${one.at}`,
    }))(origin),
    O.map((at: Instant) => ({ at, why: `lease until ${at}` }))(lease),
  ]
  const [first] = all.flatMap(RA.fromOption).sort((a, b) => a.at - b.at)
  return O.fromNullable(first)
}
