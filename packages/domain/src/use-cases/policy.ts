import type { Clock } from '../ports/clock.ts'
import { type CalendarDay, dayOf } from '../values/calendar-day.ts'
import type { TimeZone } from '../values/time-zone.ts'

/** What a deployment may decide for itself. */
export interface Policy {
  /** Where "today" is counted (B8). */
  readonly timeZone: TimeZone
  /** Whether a Live library item waits for its publication date (C9). */
  readonly embargo: boolean
  /** How long an access token lives, in seconds (A4). */
  readonly tokenTtl: number
}

/** The day it is for the service (B8). */
export const todayFor = (policy: Policy, clock: Clock): CalendarDay => dayOf(clock.now(), policy.timeZone)
