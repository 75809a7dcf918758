import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'

/** The system's clock. */
export const runningClock: Clock = { now: () => instant(Date.now()) }
