import type { Unavailable } from '@almoner/domain'
import type { SweepStopped } from '@almoner/domain/library'
import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { type DueTimes, type DueTimesWatch, watchDueTimes } from './due-times.ts'
import { sweepStoppedText } from './sweep-text.ts'
import { type Rule, setRepeating, watchClock } from './timer.ts'

/** The result of a job: the number of things it dealt with, or several numbers with names. */
type Done = number | Readonly<Record<string, number>>

/** Work that a server repeats by itself. Everything to be done is in the stores, so that a run may be left out. */
export interface Job {
  readonly name: string
  readonly rule: Rule
  /** Whether it also runs at the start. */
  readonly atStart: boolean
  /** Further times at which it runs. */
  readonly dueTimes?: DueTimes
  /** Added to its log lines. */
  readonly note?: string | undefined
  /** Runs once, and ends early when the signal is aborted. */
  readonly work: (signal: AbortSignal) => TaskEither<Unavailable | SweepStopped, Done>
}

/** Called after each run of a job. */
export type OnJob = (job: string, failed: boolean) => void

/** Runs a job and logs its result. Never rejects: a failed job runs again at its next time. */
const runJob = async (
  { name, work, note }: Job,
  logger: Logger,
  onJob: OnJob,
  signal: AbortSignal,
): Promise<void> => {
  try {
    const done = await work(signal)()
    onJob(name, E.isLeft(done))
    if (E.isLeft(done)) {
      const failure = done.left
      if (isUnavailable(failure)) logger.error({ job: name, err: failure.cause }, 'job failed')
      else logger.error({ job: name, reason: failure.refusal }, sweepStoppedText(failure))
      return
    }
    const counts = typeof done.right === 'number' ? { count: done.right } : done.right
    const level = Object.values(counts).some((figure) => figure > 0) ? 'info' : 'debug'
    logger[level]({ job: name, ...counts, ...(note && { note }) }, 'job done')
  } catch (err) {
    onJob(name, true)
    logger.error({ job: name, err }, 'job failed')
  }
}

/** Runs jobs at their times, in the background. A job never overlaps with itself. `stop` aborts the running ones, and awaits their end. */
export const schedule = (jobs: ReadonlyArray<Job>, logger: Logger, onJob: OnJob = () => {}) => {
  const running = new Map<string, Promise<void>>()
  const watches = new Map<string, DueTimesWatch>()
  const stop = new AbortController()
  const start = (job: Job): boolean => {
    if (stop.signal.aborted || running.has(job.name)) return false
    const done = runJob(job, logger, onJob, stop.signal).finally(() => {
      running.delete(job.name)
      watches.get(job.name)?.look()
    })
    running.set(job.name, done)
    return true
  }
  const alarms = jobs.map((job) => setRepeating(job.rule, () => start(job)))
  const unwatch = watchClock((step) => {
    logger.warn({ milliseconds: step }, 'the clock was set')
    for (const alarm of alarms) alarm.replan()
    for (const watch of watches.values()) watch.look()
  })
  for (const job of jobs) if (job.atStart) start(job)
  for (const job of jobs) {
    const { name, dueTimes } = job
    if (dueTimes === undefined) continue
    const watch = watchDueTimes(dueTimes, () => start(job))
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

export type Schedule = ReturnType<typeof schedule>
