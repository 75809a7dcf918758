import * as O from 'fp-ts/lib/Option.js'
import { addMillis, type Instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'

/** The lease of a job that one process at a time runs. Only the process that knows its latest state can replace it. */
export interface JobLease {
  readonly job: string
  /** Counts the writes; 0 before the first. */
  readonly step: number
  /** Until when a process holds the job; none if none does. */
  readonly heldUntil: O.Option<Instant>
  /** When the latest run that was completed began; none before the first. */
  readonly ranAt: O.Option<Instant>
}

/** Milliseconds for which a process holds a job without renewing its lease. */
export const JOB_LEASE = MINUTE

/** Milliseconds between two renewals: two of them may fail. */
export const RENEW_EVERY = 20 * SECOND

/** Returns the lease of a job that no process has run. */
export const firstLease = (job: string): JobLease => ({ job, step: 0, heldUntil: O.none, ranAt: O.none })

/**
 * Returns whether a job has to run: no run that was completed began within half of its period. A run that a clock far ahead noted does not count (I9).
 * @param period milliseconds between two runs
 */
export const isJobDue = ({ ranAt }: JobLease, now: Instant, period: number): boolean =>
  O.isNone(ranAt) || isFarAhead(ranAt.value, now) || now - ranAt.value >= period / 2

/** Returns a lease as a process takes or renews it. */
export const leaseTaken = (lease: JobLease, now: Instant): JobLease => ({
  ...lease,
  step: lease.step + 1,
  heldUntil: O.some(addMillis(now, JOB_LEASE)),
})

/**
 * Returns a lease after a run.
 * @param begun when the run began; none if it was not completed
 */
export const leaseEnded = (lease: JobLease, begun: O.Option<Instant>): JobLease => ({
  ...lease,
  step: lease.step + 1,
  heldUntil: O.none,
  ranAt: O.alt(() => lease.ranAt)(begun),
})
