import type { Unavailable } from '@almoner/domain'
import type { WakeUp } from '@almoner/domain/delivery'
import { type Clock, elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { setOnce } from './wake-up.ts'

/** Times at which a job has to run, besides those of its rule. */
export interface DueTimes {
  /** Looks up the next time; it may have passed. */
  readonly next: TaskEither<Unavailable, O.Option<WakeUp>>
  /** Calls back when any process may have changed the next time. Returns a function that ends this. */
  readonly onChange: (changed: () => void) => () => void
  readonly clock: Clock
}

/** Milliseconds between wake-ups while a time stays due, as when reviews are refused: they double from the first to the second. */
const SOONEST_AGAIN = SECOND
const LATEST_AGAIN = MINUTE

/**
 * Wakes at due times, by the clock that all processes share, and at once for times that have passed (G9). A time that is still due after the
 * job has run is retried with exponential backoff. If a lookup fails, the next change or the job's rule repeats it.
 * @param wake runs the job; returns false while it is running, and then its end is followed by a look
 * @param failed called with what a lookup threw
 */
export const watchDueTimes = (
  { next, onChange, clock }: DueTimes,
  wake: () => boolean,
  failed: (cause: unknown) => void,
) => {
  let planned: ReturnType<typeof setOnce> | undefined
  let looking = false
  let again = false
  let cancelled = false
  /** What the job last ran for, and when by the clock that is never set. */
  let served: { readonly why: string; readonly at: number } | undefined
  let distance = SOONEST_AGAIN

  const ring = (why: string) => {
    if (!wake()) return
    distance = served?.why === why ? Math.min(distance * 2, LATEST_AGAIN) : SOONEST_AGAIN
    served = { why, at: elapsed(clock) }
  }

  const plan = ({ at, why }: WakeUp) => {
    const wait = served?.why === why ? served.at + distance - elapsed(clock) : at - clock.now()
    if (wait <= 0) ring(why)
    else planned = setOnce(wait, look)
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
        await lookOnce().catch(failed)
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

export type DueTimesWatch = ReturnType<typeof watchDueTimes>

/** Milliseconds between two looks at a data version, each of which takes some microseconds. */
const LOOK_EVERY = 250

/** Makes `onChange` of due times from a data version: calls back when it has changed. */
export const changesOf =
  (version: () => number): DueTimes['onChange'] =>
  (changed) => {
    let known = version()
    const timer = setInterval(() => {
      const present = version()
      if (present === known) return
      known = present
      changed()
    }, LOOK_EVERY).unref()
    return () => clearInterval(timer)
  }
