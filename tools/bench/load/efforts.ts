import type { Size } from './ground.ts'
import type { Effort } from './rig.ts'

/** How much is measured on how much. */
interface Extent {
  readonly size: Size
  readonly effort: Effort
}

/** For the docs. */
export const FULL: Extent = {
  size: {
    items: 10_000,
    manyItems: 1_000_000,
    organizations: 10_000,
    devices: 150_000,
    pushes: 60_000,
    image: { width: 1200, height: 600 },
  },
  effort: { seconds: 5, rounds: 3, warming: 500, starts: 5, settle: 3000, patient: true, sparing: false },
}

/** To see that all of it still runs. */
export const SHORT: Extent = {
  size: {
    items: 100,
    manyItems: 100,
    organizations: 100,
    devices: 60,
    pushes: 60,
    image: { width: 60, height: 30 },
  },
  effort: {
    seconds: 0.02,
    requests: 4,
    rounds: 1,
    warming: 0,
    starts: 1,
    settle: 0,
    patient: false,
    sparing: true,
  },
}
