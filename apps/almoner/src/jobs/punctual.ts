import {
  type Clock,
  type Instant,
  later,
  MINUTE,
  SECOND,
  type Unavailable,
  type WakeUp,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Once, setOnce } from './timer.ts'

/** When a chore has to be done next, beside the times of its rule. */
export interface DueTimes {
  /** The next moment; it may have passed. */
  readonly next: TaskEither<Unavailable, O.Option<WakeUp>>
  /** Calls back when the next moment may have changed, whichever process changed it. Gives a function that ends this. */
  readonly onChange: (changed: () => void) => () => void
  readonly clock: Clock
}

/** Wakes at due times until it is cancelled. */
export interface Punctual {
  /** Looks up the next moment again. */
  readonly look: () => void
  readonly cancel: () => void
}

/** Milliseconds between wake-ups for what stays due, as when reviews are refused: they double from the first to the second. */
const SOONEST_AGAIN = SECOND
const LATEST_AGAIN = MINUTE

/**
 * Wakes when something is due, by the clock that all processes share, and at once for what is past (G9). What is still due after the chore
 * was done for it is tried again at growing distances. What cannot be looked up is looked up at the next change, or left to the chore's rule.
 * @param wake does the chore; gives false where it runs already: its end is followed by a look
 */
export const keepPunctual = ({ next, onChange, clock }: DueTimes, wake: () => boolean): Punctual => {
  let planned: Once | undefined
  let looking = false
  let again = false
  let cancelled = false
  let served: { readonly why: string; readonly at: Instant } | undefined
  let distance = SOONEST_AGAIN

  const ring = (why: string) => {
    if (!wake()) return
    distance = served?.why === why ? Math.min(distance * 2, LATEST_AGAIN) : SOONEST_AGAIN
    served = { why, at: clock.now() }
  }

  const plan = ({ at, why }: WakeUp) => {
    const now = clock.now()
    const moment = served?.why === why ? later(served.at, distance) : at
    if (moment <= now) ring(why)
    else planned = setOnce(moment - now, look)
  }

  const lookOnce = async () => {
    const found = await next()
    planned?.cancel()
    planned = undefined
    if (!cancelled && E.isRight(found) && O.isSome(found.right)) plan(found.right.value)
  }

  /** One look at a time, and another one if something has changed meanwhile. */
  const look = () => {
    again = true
    if (looking) return
    looking = true
    void (async () => {
      while (again && !cancelled) {
        again = false
        await lookOnce()
      }
      looking = false
    })()
  }

  const unwatch = onChange(look)
  look()
  return {
    look,
    cancel: () => {
      cancelled = true
      unwatch()
      planned?.cancel()
    },
  }
}
