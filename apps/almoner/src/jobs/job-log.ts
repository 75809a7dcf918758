import type { Logger } from 'pino'
import type { JobEvents } from '../composition/jobs.ts'
import { sweepStoppedText } from './sweep-text.ts'

/** Called after each run of a job. */
export type OnJob = (job: string, failed: boolean) => void

/** Logs the runs of jobs, and has them counted. */
export const jobLog = (logger: Logger, onJob: OnJob = () => {}): JobEvents => ({
  done: ({ name, note }, result) => {
    onJob(name, false)
    const counts = typeof result === 'number' ? { count: result } : result
    const level = Object.values(counts).some((count) => count > 0) ? 'info' : 'debug'
    logger[level]({ job: name, ...counts, ...(note && { note }) }, 'job done')
  },
  failed: ({ name }, failure) => {
    onJob(name, true)
    if ('refusal' in failure) logger.error({ job: name, reason: failure.refusal }, sweepStoppedText(failure))
    else logger.error({ job: name, err: failure.cause }, 'job failed')
  },
  clockSet: (step) => logger.warn({ milliseconds: step }, 'the clock was set'),
})
