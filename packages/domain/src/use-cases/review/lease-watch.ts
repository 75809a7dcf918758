import type { Lease } from '../../notifications/batch.ts'
import { LEASE } from '../../notifications/lease.ts'
import { type Clock, elapsed } from '../../values/ports.ts'

/** Leases that are watched at most; more than many processes have. */
const MOST = 1000

/** A lease as it was first seen. */
interface Seen {
  readonly fence: number
  readonly until: number
  /** By the clock that is never set, in milliseconds. */
  readonly at: number
}

/**
 * Watches the leases of other processes (I9). Their stored ends prove nothing after a step of the clock: a batch is taken over only when its
 * lease has been the same for as long as a lease lasts, by a clock that is never set. It counts from the first look on.
 */
export const makeLeaseWatch = (clock: Clock): ((lease: Lease) => boolean) => {
  const seen = new Map<string, Seen>()
  return ({ notificationId, number, fence, until }) => {
    const name = `${notificationId} ${number}`
    const known = seen.get(name)
    if (known !== undefined && known.fence === fence && known.until === until)
      return elapsed(clock) - known.at >= LEASE
    seen.delete(name)
    seen.set(name, { fence, until, at: elapsed(clock) })
    const [oldest = name] = seen.keys()
    if (seen.size > MOST) seen.delete(oldest)
    return false
  }
}
