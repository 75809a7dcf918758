import { type Clock, instant } from '../src/all.ts'

/** The system's clock. */
export const runningClock: Clock = { now: () => instant(Date.now()) }
