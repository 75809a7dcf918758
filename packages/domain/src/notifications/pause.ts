import * as O from 'fp-ts/lib/Option.js'
import type { Provider } from '../people/destination.ts'
import { addMillis, type Instant, MINUTE, SECOND } from '../values/instant.ts'

/** A provider that nothing is sent by, on any node and across restarts (G5). Its devices stay pending. */
export interface Pause {
  readonly provider: Provider
  /** A short word for operators: the provider's own, or {@link TOO_MANY_DEAD}. */
  readonly reason: string
  readonly since: Instant
  /** When it is tried again by itself; none where an operator has to decide. */
  readonly until: O.Option<Instant>
}

/** Why the brake was pulled (G5). */
export const TOO_MANY_DEAD = 'too many tokens called dead'

/** How long a provider that refuses us is left alone before it is tried again, in milliseconds: a key may be put right meanwhile. */
export const FAULT_PAUSE = 5 * MINUTE

/** How far clocks of processes may lie apart, in milliseconds. */
const TOLERANCE = 30 * SECOND

/** Whether a pause is in force. One that ends later than a pause can was given by a clock that has been set back since: it is over. */
export const isInForce = ({ until }: Pick<Pause, 'until'>, now: Instant): boolean =>
  O.isNone(until) || (now < until.value && until.value <= addMillis(now, FAULT_PAUSE + TOLERANCE))

/** A pause that an operator has to end. */
export const openCircuit = (provider: Provider, now: Instant): Pause => ({
  provider,
  reason: TOO_MANY_DEAD,
  since: now,
  until: O.none,
})

/** Why an operator's pause is one. */
export const PAUSED_BY_OPERATOR = 'paused by an operator'

/** A pause that an operator begins, and has to end. */
export const operatorPause = (provider: Provider, now: Instant): Pause => ({
  provider,
  reason: PAUSED_BY_OPERATOR,
  since: now,
  until: O.none,
})

/** A pause after a provider has refused us. */
export const faultPause = (provider: Provider, reason: string, now: Instant): Pause => ({
  provider,
  reason,
  since: now,
  until: O.some(addMillis(now, FAULT_PAUSE)),
})

/** A pause that is over at this moment, and before it as far as clocks of processes lie apart. */
export const endedPause = (pause: Pause, now: Instant): Pause => ({
  ...pause,
  until: O.some(addMillis(now, -TOLERANCE)),
})
