import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'

/** The machine's clock. It may be set back; what must only grow does not rely on it. */
export const systemClock: Clock = { now: () => instant(Date.now()), elapsed: () => performance.now() }
