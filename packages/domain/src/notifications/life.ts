import * as O from 'fp-ts/lib/Option.js'
import { addMillis, type Instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'

/**
 * The end of a notification's life: so long after its date or, if later, after it was taken up (G5).
 * @param life in milliseconds
 */
export const endOfLife = (date: Instant, startedAt: Instant, life: number): Instant =>
  addMillis(date > startedAt ? date : startedAt, life)

/** When a delivery was started, and the end of its notification's life. */
export interface DeliveryLife {
  readonly startedAt: Instant
  readonly endsAt: Instant
  /** From when its life counts while its start lies in the future, if it ever did. */
  readonly countedFrom: O.Option<Instant>
}

/**
 * Returns the life of a delivery as it counts now (I9). While its start lies in the future, the clock was ahead then, or is behind now: the life counts
 * from the first look on, as long as it was. The stored end counts again once the clock has passed the start.
 */
export const lifeAt = (life: DeliveryLife, now: Instant): Pick<DeliveryLife, 'endsAt' | 'countedFrom'> => {
  const { startedAt, endsAt, countedFrom } = life
  if (!isFarAhead(startedAt, now)) return { endsAt, countedFrom }
  const from = O.isSome(countedFrom) && !isFarAhead(countedFrom.value, now) ? countedFrom.value : now
  return { endsAt: addMillis(from, endsAt - startedAt), countedFrom: O.some(from) }
}

/**
 * Returns until when a device waits for its origin at most: the end of the notification's life or, where a step of the clock keeps that from counting, a
 * minute.
 */
export const heldUntil = (endsAt: Instant, now: Instant): Instant =>
  now < endsAt ? endsAt : addMillis(now, MINUTE)

/** The maximum number of sends to a device, including the first: about a day of the longest delays. */
export const MOST_ATTEMPTS = 50

const FIRST_DELAY = 10 * SECOND
const LONGEST_DELAY = 60 * MINUTE

/**
 * The last try begins so long before the end of the notification's life, in milliseconds: its device may wait a few seconds for others that
 * are tried again with it, and its provider may take {@link ANSWER_WITHIN}.
 */
export const LAST_TRY = 20 * SECOND

/** A send that did not succeed and may be tried again. */
export interface Attempt {
  /** Sends so far, from 1. */
  readonly attempts: number
  readonly now: Instant
  /** What the provider asked for, in milliseconds from now. */
  readonly retryAfter: O.Option<number>
  /** From 0 to below 1: how much of the longest delay is waited. */
  readonly fraction: number
  readonly endsAt: Instant
}

/** The number of attempts for which the provider's time alone counts; later attempts also wait for our delays. */
const RETRY_AFTER_ATTEMPTS = 5

const delayOf = ({ attempts, retryAfter, fraction }: Attempt): number => {
  const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1))
  const jittered = Math.ceil(longest * fraction)
  // "At once" is no time to wait for.
  const asked = O.isSome(retryAfter) && retryAfter.value > 0 ? retryAfter.value : jittered
  return attempts <= RETRY_AFTER_ATTEMPTS ? asked : Math.max(asked, jittered)
}

/**
 * When to try again: when the provider says so, else after a random part of a delay that doubles with each attempt (full jitter).
 * A provider that goes on asking for a moment's patience does not use up the attempts in a moment. A time that the notification would not
 * live to see is moved forward, once, to {@link LAST_TRY} before its end. None when the attempts are used up or that moment has come
 * (G5).
 */
export const retryAt = (attempt: Attempt): O.Option<Instant> => {
  const { attempts, now, endsAt } = attempt
  if (attempts >= MOST_ATTEMPTS) return O.none
  const next = addMillis(now, delayOf(attempt))
  if (next < endsAt) return O.some(next)
  const last = addMillis(endsAt, -LAST_TRY)
  return now < last ? O.some(last) : O.none
}
