import { type CalendarDay, type Instant, instant, MINUTE } from '@almoner/domain'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The instants at which an item is created and then published. */
export interface Moments {
  readonly created: Instant
  readonly published: Instant
}

const moments = (created: number): Moments => ({
  created: instant(created),
  published: instant(created + 40 * MINUTE),
})

/** Dates a post: the newest (rank 0) a few hours ago, the others a few days apart, at irregular times. */
export const postMoments = (now: Instant, rank: number): Moments =>
  moments(now - (5 + 67 * rank + ((37 * rank) % 29)) * HOUR - ((17 * rank) % 60) * MINUTE)

/** Dates a publication six days before its day, and at the latest an hour ago for each rank, from 0 for the newest. */
export const publicationMoments = (now: Instant, rank: number, day: CalendarDay): Moments =>
  moments(Math.min(Date.parse(`${day}T09:20:00Z`) - 6 * DAY, now - (rank + 1) * HOUR))

/** Dates the devices of a user, by the user's rank from 0: over the past weeks, at irregular times. */
export const attachedAt = (now: Instant, rank: number): Instant =>
  instant(now - (40 + 59 * rank + ((31 * rank) % 23)) * HOUR - ((19 * rank) % 60) * MINUTE)
