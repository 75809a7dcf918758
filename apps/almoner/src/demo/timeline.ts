import { type CalendarDay, type Instant, instant, MINUTE } from '@almoner/domain'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The moments at which a piece of demonstration content is written and then published. */
export interface Moments {
  readonly created: Instant
  readonly published: Instant
}

const within = (created: number): Moments => ({
  created: instant(created),
  published: instant(created + 40 * MINUTE),
})

/**
 * When a post was written: the newest a few hours ago, the others every few days before, at no regular times.
 * @param rank from the newest, which is 0
 */
export const postMoments = (now: Instant, rank: number): Moments => {
  const hours = 5 + 67 * rank + ((37 * rank) % 29)
  return within(now - hours * HOUR - ((17 * rank) % 60) * MINUTE)
}

/**
 * When a publication was entered: six days before its day, and some hours ago at the latest.
 * @param rank from the latest publication, which is 0
 */
export const publicationMoments = (now: Instant, rank: number, day: CalendarDay): Moments => {
  const ahead = Date.parse(`${day}T09:20:00Z`) - 6 * DAY
  return within(Math.min(ahead, now - (rank + 1) * HOUR))
}

/**
 * When somebody attached their devices: over the past weeks, at no regular times.
 * @param rank among the users, from 0
 */
export const attachedAt = (now: Instant, rank: number): Instant =>
  instant(now - (40 + 59 * rank + ((31 * rank) % 23)) * HOUR - ((19 * rank) % 60) * MINUTE)
