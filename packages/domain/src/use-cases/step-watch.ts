import { type Clock, elapsed } from '../ports/clock.ts'
import { MINUTE } from '../values/instant.ts'

/** Milliseconds for which a step of the clock is doubted (I9). */
export const DOUBT = 60 * MINUTE

/**
 * Watches a clock for steps of more than a minute. The function that it returns compares the clock with one that is never set, from its first call
 * on, and returns the steps within the last hour, in milliseconds and added up: undefined if there were none, 0 if the clock was set there and back.
 */
export const watchSteps = (clock: Clock): (() => number | undefined) => {
  let offset: number | undefined
  let last: { readonly at: number; readonly total: number } | undefined
  return () => {
    const now = elapsed(clock)
    const ahead = clock.now() - now
    const step = ahead - (offset ?? ahead)
    offset = ahead
    if (last !== undefined && now - last.at >= DOUBT) last = undefined
    if (Math.abs(step) > MINUTE) last = { at: now, total: (last?.total ?? 0) + step }
    return last?.total
  }
}
