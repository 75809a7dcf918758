import type { Unavailable } from '@almoner/domain'
import type { SweepStopped } from '@almoner/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type DueTimes, type DueTimesWatch, watchDueTimes } from './due-times.ts'
import { type Rule, setRepeating, watchClock } from './wake-up.ts'

/** The result of a job: the number of things it dealt with, or several numbers with names. */
export type JobResult = number | Readonly<Record<string, number>>

/** Sets the callback of a running job. Returns a function that removes it. */
export type OnDue = (wake: () => void) => () => void

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
