import type { Timer } from '../src/all.ts'
import type { SetClock } from './clock.ts'

/** Resolves at once, and advances the clock instead of waiting. */
export const instantTimer = (clock: SetClock): Timer => ({
  wait: (milliseconds) => async () => clock.advance(milliseconds),
})
