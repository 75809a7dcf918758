import * as O from 'fp-ts/lib/Option.js'
import { addMillis, type Instant, SECOND } from '../values/time.ts'

/** How long a claimed batch stays with its claimer after each thing that it recorded, in milliseconds. */
export const LEASE = 30 * SECOND

/** A gateway answers for a device within this time, in milliseconds: well within the lease, and soon enough for a process that stops. */
export const ANSWER_WITHIN = 8 * SECOND

/** When a lease that is taken or renewed now ends (G5). */
export const leaseFrom = (now: Instant): Instant => addMillis(now, LEASE)

/** How far clocks of processes, and the moment at which one was asked, may lie apart, in milliseconds. */
const TOLERANCE = 30 * SECOND

/** A lease that ends after this was given by a clock that has since been set back. */
export const latestLease = (now: Instant): Instant => addMillis(now, LEASE + TOLERANCE)

/**
 * Whether a lease still excludes other claims. A lease with an impossible end is ignored, so that a wrong clock cannot block a batch.
 */
export const isHeld = (until: O.Option<Instant>, now: Instant): boolean =>
  O.isSome(until) && now < until.value && until.value <= latestLease(now)
