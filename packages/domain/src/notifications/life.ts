import * as O from 'fp-ts/lib/Option.js'
import { type Instant, later, MINUTE, SECOND } from '../values/instant.ts'

/**
 * The end of a notification's life: so long after its date or, if later, after it was taken up (G5).
 * @param life in milliseconds
 */
export const endOfLife = (date: Instant, takenUpAt: Instant, life: number): Instant =>
  later(date > takenUpAt ? date : takenUpAt, life)

/** Sends to one device, the first included: at the longest delays about as many as fit into a life of a day. */
export const MOST_ATTEMPTS = 50

const FIRST_DELAY = 10 * SECOND
const LONGEST_DELAY = 60 * MINUTE

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

/** So many times the provider's word alone says when; if that was not enough, our own delays hold too. */
const HEEDED = 5

const delayOf = ({ attempts, retryAfter, fraction }: Attempt): number => {
  const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1))
  const jittered = Math.ceil(longest * fraction)
  // "At once" is no time to wait for.
  const asked = O.isSome(retryAfter) && retryAfter.value > 0 ? retryAfter.value : jittered
  return attempts <= HEEDED ? asked : Math.max(asked, jittered)
}

/**
 * When to try again: when the provider says so, else after a random part of a delay that doubles with each attempt (full jitter).
 * A provider that goes on asking for a moment's patience does not use up the attempts in a moment. None when they are used up or the
 * notification would not live to see it (G5).
 */
export const retryAt = (attempt: Attempt): O.Option<Instant> => {
  const next = later(attempt.now, delayOf(attempt))
  return attempt.attempts < MOST_ATTEMPTS && next < attempt.endsAt ? O.some(next) : O.none
}
