import type { Random } from '@almoner/domain/ports'

/** Always returns the middle, so that no test depends on chance. */
export const evenRandom: Random = { fraction: () => 0.5 }
