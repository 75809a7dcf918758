import { type Clock, instant } from '@almoner/domain'

/** The machine's clock. It may be set back; what must only grow does not rely on it. */
export const systemClock: Clock = { now: () => instant(Date.now()) }
