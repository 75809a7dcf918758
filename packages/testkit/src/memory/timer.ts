import type { Timer } from '@almoner/domain/ports'
import type { SetClock } from './clock.ts'

/** Resolves at once, and advances the clock instead of waiting. */
export const instantTimer = (clock: SetClock): Timer => ({
  wait: (milliseconds) => async () => clock.advance(milliseconds),
})
