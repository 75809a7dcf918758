import * as O from 'fp-ts/lib/Option.js'
import type { Clock } from '../../values/ports.ts'
import { addMillis, type Instant, SECOND } from '../../values/time.ts'

/**
 * The rate at which an origin is sent to after it has asked us to wait: a little less than it accepted before. Without it, each answer 429 with
 * `Retry-After` would be followed by a burst that earns the next one.
 */
export interface Pace {
  /** Begins to count what the origin accepts, unless sends have just been under way. */
  begin(lastAnswer: Instant): void
  /** One push was accepted. */
  accepted(): void
  /** The origin asks us to wait, for this number of milliseconds if it names one. */
  heldBack(after: O.Option<number>): void
  /** Returns how many sends may begin now. */
  tokens(): number
  /** Uses one of them. */
  take(): void
  /** Milliseconds until there is one; none if there is. */
  wait(): O.Option<number>
}

/** Idle for this long, in milliseconds, an origin says nothing any more about what it accepts. */
const IDLE = 5 * SECOND

/** The wait of an origin that names none, in milliseconds. */
const UNNAMED = SECOND

/** The first pace is this part of what was accepted; each further time that the origin holds us back, it is this part of the last. */
const [FIRST, LOWER] = [0.9, 0.7]

/** After this time without being held back, in milliseconds, the pace grows by this factor. */
const [GROWS_AFTER, GROWTH] = [30 * SECOND, 1.1]

/** Sends a second: slower is no pace, faster needs none. */
const [SLOWEST, FASTEST] = [0.1, 10_000]

/** Sends that may begin at once, in seconds of the pace. */
const BURST = 0.25

/** Creates the pace of an origin that has not held us back yet. */
export const makePace = (clock: Clock): Pace => {
  /** Sends a second; infinite without a pace. */
  let rate = Number.POSITIVE_INFINITY
  let since = clock.now()
  let count = 0
  let quiet = { from: since, length: 0 }
  let filled = 0
  let filledAt = since
  let grownAt = since

  const depth = (): number => Math.max(1, rate * BURST)

  const fill = (): void => {
    const now = clock.now()
    const elapsed = Math.max(0, now - filledAt)
    filledAt = now
    filled = Math.min(depth(), filled + (elapsed / SECOND) * rate)
    if (now - grownAt < GROWS_AFTER) return
    grownAt = now
    rate *= GROWTH
    if (rate > FASTEST) rate = Number.POSITIVE_INFINITY
  }

  return {
    begin(lastAnswer) {
      if (clock.now() - lastAnswer < IDLE) return
      since = clock.now()
      count = 0
    },
    accepted() {
      count += 1
    },
    heldBack(after) {
      const now = clock.now()
      // The answers to pushes that were in flight come together.
      if (now >= quiet.from && now - quiet.from < quiet.length) return
      const seconds = Math.max(SECOND, now - since) / SECOND
      // An origin that has accepted nothing says nothing about what it takes.
      if (count > 0)
        rate = Math.max(SLOWEST, Number.isFinite(rate) ? rate * LOWER : (count / seconds) * FIRST)
      quiet = { from: now, length: O.getOrElse(() => UNNAMED)(after) }
      since = addMillis(now, quiet.length)
      grownAt = since
      filledAt = now
      count = 0
      filled = 0
    },
    tokens() {
      if (!Number.isFinite(rate)) return Number.POSITIVE_INFINITY
      fill()
      return Math.floor(filled)
    },
    take() {
      if (Number.isFinite(rate)) filled -= 1
    },
    wait() {
      if (!Number.isFinite(rate)) return O.none
      fill()
      return filled >= 1 ? O.none : O.some(Math.ceil(((1 - filled) / rate) * SECOND))
    },
  }
}
