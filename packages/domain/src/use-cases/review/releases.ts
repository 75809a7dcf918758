import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { inProviderOrder, type Provider } from '../../people/destination.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { type Instant, SECOND } from '../../values/instant.ts'

/**
 * Milliseconds from one window for a provider that was paused to the next: longer than its answers to the first take
 * (`ANSWER_WITHIN`), so that a refusal stops the second.
 */
const EVERY = 10 * SECOND

/** Releases the devices that wait for a provider which is not paused any more (G5), in steps that each take a bounded number. */
export interface Releases {
  /** Takes a step if it is time for one, or if the last one found something. */
  readonly whileSending: Task<E.Either<Unavailable, unknown>>
  /** Takes a step while nothing is in flight. Gives how many devices it has released. */
  readonly whileIdle: Task<E.Either<Unavailable, number>>
}

/**
 * The releases of one review. A provider that has taken no push since its pause gets one window of devices, and another one when it is time:
 * its refusal would otherwise have the whole backlog written down again.
 * @param carried the providers that this process sends by
 * @param window the most pushes that this process has in flight
 */
export const makeReleases = (
  { deliveries, clock }: Pick<Ports, 'deliveries' | 'clock'>,
  carried: ReadonlySet<Provider>,
  window: number,
): Releases => {
  const by = inProviderOrder(carried)
  let tried: Instant | undefined
  let found = 0

  const step = async (now: Instant, first: number): Promise<E.Either<Unavailable, number>> => {
    const released = await deliveries.releaseDeferred({ now, by, first })()
    if (E.isRight(released)) found = released.right
    return released
  }

  const whileIdle = () => {
    tried = clock.now()
    return step(tried, window)
  }

  const whileSending = async () => {
    const now = clock.now()
    // A clock that was set back must not put this off.
    if (tried === undefined || Math.abs(now - tried) >= EVERY) return whileIdle()
    return found > 0 ? step(now, 0) : E.right(0)
  }

  return { whileSending, whileIdle }
}
