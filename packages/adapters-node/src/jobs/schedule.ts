import type { Unavailable } from '@almoner/domain'
import type { WakeUp } from '@almoner/domain/delivery'
import type { SweepStopped } from '@almoner/domain/operations'
import { type Clock, elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Rule, setOnce, setRepeating, watchClock } from './wake-up.ts'

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
const watchDueTimes = (
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

type DueTimesWatch = ReturnType<typeof watchDueTimes>

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

/** The result of a job: the number of things it dealt with, or several numbers with names. */
export type JobResult = number | Readonly<Record<string, number>>

/** Sets the callback of a running job. Returns a function that removes it. */
type OnDue = (wake: () => void) => () => void

/** Work that a service repeats by itself. Everything to be done is in the stores, so that a run may be left out. */
export interface Job {
  readonly name: string
  readonly rule: Rule
  /** Whether it also runs at the start. */
  readonly atStart: boolean
  /** Further times at which it runs. */
  readonly dueTimes?: DueTimes
  /** A remark for the log. */
  readonly note?: string | undefined
  /** Runs once, and ends early when the signal is aborted. `onDue` calls back at due times that come while it runs. */
  readonly work: (signal: AbortSignal, onDue: OnDue) => TaskEither<Unavailable | SweepStopped, JobResult>
}

/** What happens to scheduled jobs. */
export interface JobEvents {
  /** A run succeeded. */
  readonly done: (job: Job, result: JobResult) => void
  /** A run or a lookup of due times failed or threw an error. The job runs again at its next time. */
  readonly failed: (job: Job, failure: Unavailable | SweepStopped | { readonly cause: unknown }) => void
  /** The machine's clock was set, by a number of milliseconds. */
  readonly clockSet: (step: number) => void
}

/** Runs a job and reports its result. Never rejects. */
const runJob = async (job: Job, events: JobEvents, ...running: Parameters<Job['work']>): Promise<void> => {
  try {
    const done = await job.work(...running)()
    if (E.isLeft(done)) events.failed(job, done.left)
    else events.done(job, done.right)
  } catch (cause) {
    events.failed(job, { cause })
  }
}

/** Jobs that run at their times. */
export interface Schedule {
  /** Aborts the running jobs, and resolves when they have ended. None runs afterwards. */
  readonly stop: () => Promise<void>
}

/** Runs jobs at their times, in the background. A job never overlaps with itself. */
export const schedule = (jobs: ReadonlyArray<Job>, events: JobEvents): Schedule => {
  const running = new Map<string, Promise<void>>()
  const watches = new Map<string, DueTimesWatch>()
  const callbacks = new Map<string, () => void>()
  const stop = new AbortController()
  const onDueOf =
    ({ name }: Job): OnDue =>
    (wake) => {
      callbacks.set(name, wake)
      return () => {
        callbacks.delete(name)
      }
    }
  const start = (job: Job): boolean => {
    if (stop.signal.aborted || running.has(job.name)) return false
    const done = runJob(job, events, stop.signal, onDueOf(job)).finally(() => {
      running.delete(job.name)
      watches.get(job.name)?.look()
    })
    running.set(job.name, done)
    return true
  }
  const alarms = jobs.map((job) => setRepeating(job.rule, () => start(job)))
  const unwatch = watchClock((step) => {
    events.clockSet(step)
    for (const alarm of alarms) alarm.replan()
    // What was planned by a clock that was ahead is due now, whenever it was to be (I9). The look that follows finds the rest.
    for (const job of jobs) if (job.dueTimes !== undefined) start(job)
    for (const watch of watches.values()) watch.look()
  })
  for (const job of jobs) if (job.atStart) start(job)
  for (const job of jobs) {
    const { name, dueTimes } = job
    if (dueTimes === undefined) continue
    const watch = watchDueTimes(
      dueTimes,
      () => {
        const isStarted = start(job)
        if (!isStarted) callbacks.get(name)?.()
        return isStarted
      },
      (cause) => events.failed(job, { cause }),
    )
    watches.set(name, watch)
  }
  return {
    stop: async () => {
      stop.abort()
      unwatch()
      for (const alarm of alarms) alarm.cancel()
      for (const watch of watches.values()) watch.cancel()
      await Promise.all(running.values())
    },
  }
}
