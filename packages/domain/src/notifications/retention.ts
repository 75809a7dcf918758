import { type Instant, later, MINUTE } from '../values/instant.ts'

const DAY = 24 * 60 * MINUTE

/** The moment before which what has ended is kept no longer, `days` after its end (G8). */
export const endOfRetention = (now: Instant, days: number): Instant => later(now, -days * DAY)

/** The upkeep of every hour, and a server that does not run for a night, may leave what is over for so many days. */
const GRACE_DAYS = 1

/** Whether something that ended then should have been deleted by now (G8). */
export const isOverdue = (endedAt: Instant, now: Instant, days: number): boolean =>
  endedAt < endOfRetention(now, days + GRACE_DAYS)
