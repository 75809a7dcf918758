import type * as O from 'fp-ts/lib/Option.js'
import type { Instant } from '../values/time.ts'

/** Retries that are counted at most, so that asking costs little however many there are. */
export const MOST_RETRIES = 100_000

/** The delivery queue, for metrics. It is the same for all processes on one store. */
export interface SendingQueue {
  /** The date of the oldest notification that is due and that no review has taken up; none when none is late. */
  readonly dueSince: O.Option<Instant>
  /** The date of the oldest notification that is due and has not been sent to the last of its devices. */
  readonly unsentSince: O.Option<Instant>
  /** Devices without an outcome, of the notifications that are being sent. */
  readonly pending: number
  /** Those of them that wait for a retry, or for a provider that is paused: {@link MOST_RETRIES} stands for any more. */
  readonly retries: number
}
