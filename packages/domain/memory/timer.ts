import type { Timer } from '../src/all.ts'
import type { SetClock } from './clock.ts'

/** Waits no time at all, and moves the clock on instead. */
export const instantTimer = (clock: SetClock): Timer => ({
  wait: (milliseconds) => async () => clock.advance(milliseconds),
})
