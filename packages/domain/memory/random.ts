import type { Random } from '../src/all.ts'

/** Always returns the middle, so that no test depends on chance. */
export const evenRandom: Random = { fraction: () => 0.5 }
