import * as E from 'fp-ts/lib/Either.js'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Unavailable } from '../../values/ports.ts'
import { type Instant, SECOND } from '../../values/time.ts'

/** Pause after a failed start, in milliseconds: devices that attach wait behind each attempt, and batches are sent meanwhile. */
const RETRY_AFTER = 10 * SECOND

/** Starts due notifications, and remembers a failure. */
export interface Starter {
  /** Starts due notifications, unless that has just failed. Never fails: running deliveries continue. */
  start(): Promise<void>
  /** How many notifications it has started. */
  started(): number
  /** Why the last attempt failed; undefined when it succeeded. */
  failure(): Unavailable | undefined
}

/**
 * Makes the starter of one review. A start that fails does not keep batches of other notifications from being claimed.
 * @param life how long a notification lives, in milliseconds
 */
export const makeStarter = (
  { deliveries, clock }: Pick<DeliveryPorts, 'deliveries' | 'clock'>,
  life: number,
): Starter => {
  let started = 0
  let failed: { readonly at: Instant; readonly why: Unavailable } | undefined
  return {
    async start() {
      const now = clock.now()
      if (failed !== undefined && Math.abs(now - failed.at) < RETRY_AFTER) return
      const result = await deliveries.start(now, life)()
      failed = E.isLeft(result) ? { at: now, why: result.left } : undefined
      if (E.isRight(result)) started += result.right.length
    },
    started: () => started,
    failure: () => failed?.why,
  }
}
