import type { Random } from '@almoner/domain/ports'

/** The runtime's own generator: even enough to spread retries, and not for secrets. */
export const nodeRandom: Random = { fraction: () => Math.random() }
