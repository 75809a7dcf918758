import type { Random } from '../src/all.ts'

/** Always the middle: nothing in a test hangs on chance. */
export const evenRandom: Random = { fraction: () => 0.5 }
