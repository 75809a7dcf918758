import * as O from 'fp-ts/lib/Option.js'
import { type Instant, isFarAhead } from '../values/time.ts'
import type { Origin } from './origin.ts'

/**
 * Nothing is sent to an origin, on any node and across restarts (G5, G15). Its devices stay pending.
 * `stopped`: an operator has to end it. `held`: it ends by itself. `probed`: one device at a time is sent to until the origin accepts.
 */
export interface Pause {
  readonly origin: Origin
  readonly kind: 'stopped' | 'held' | 'probed'
  /** A short word for operators: the provider's own, or {@link TOO_MANY_DEAD}, {@link NO_ANSWER} or {@link PAUSED_BY_OPERATOR}. */
  readonly reason: string
  readonly since: Instant
  /** When it ends, or when the next device is sent to; none where an operator has to decide. */
  readonly until: O.Option<Instant>
  /** When `until` was decided; that of `since` where it is not known. */
  readonly planned?: Instant
}

/** Why the brake was pulled (G5). */
export const TOO_MANY_DEAD = 'too many tokens called dead'

/** Why an operator's pause is one. */
export const PAUSED_BY_OPERATOR = 'paused by an operator'

/** Why an origin that gives no answer is probed (G15). */
export const NO_ANSWER = 'no answer'

/**
 * Whether the time of a pause is still to come. One that was planned in the future was planned by a clock that has been set back since: its time
 * is over (I9).
 */
export const isAhead = (
  { since, until, planned = since }: Pick<Pause, 'since' | 'until' | 'planned'>,
  now: Instant,
): boolean => O.isNone(until) || (now < until.value && !isFarAhead(planned, now))

/** A pause that an operator has to end. */
export const stopped = (origin: Origin, reason: string, now: Instant): Pause => ({
  origin,
  kind: 'stopped',
  reason,
  since: now,
  until: O.none,
})

/**
 * Returns the pause of a provider as a whole. The row of `apns` is that of its production server too, whose back-off and probes do not concern the
 * sandbox: only a pause that an operator has to end is for all servers (G15).
 */
export const pauseOfAll = ({ pause }: { readonly pause: O.Option<Pause> }): O.Option<Pause> =>
  O.filter(({ kind }: Pause) => kind === 'stopped')(pause)
