import { setTimeout } from 'node:timers/promises'
import type { Timer } from '@almoner/domain/ports'

/** Counts by the monotonic clock: setting the machine's clock makes no wait longer or shorter. */
export const nodeTimer: Timer = { wait: (milliseconds) => () => setTimeout(milliseconds) }
