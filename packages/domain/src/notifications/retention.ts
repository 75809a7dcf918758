import { addMillis, type Instant, MINUTE } from '../values/time.ts'

const DAY = 24 * 60 * MINUTE

/** Returns the moment before which ended notifications are deleted, `days` after their end (G8). */
export const endOfRetention = (now: Instant, days: number): Instant => addMillis(now, -days * DAY)

/** Days by which deletion may be late, because it runs every hour and a server may be off for a night. */
const GRACE_DAYS = 1

/** Whether something that ended then should have been deleted by now (G8). */
export const isOverdue = (endedAt: Instant, now: Instant, days: number): boolean =>
  endedAt < endOfRetention(now, days + GRACE_DAYS)
