import type { Ports, Unavailable } from '@almoner/domain'
import {
  isJobDue,
  JOB_LEASE,
  type JobLease,
  leaseEnded,
  leaseTaken,
  RENEW_EVERY,
} from '@almoner/domain/operations'
import { type Clock, elapsed, type StopSignal, watchHold } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

type LeaseNeeds = Pick<Ports, 'clock' | 'jobLeases'>

/** Renews a lease that this process has taken, until it is released. */
const keepLease = ({ clock, jobLeases }: LeaseNeeds, taken: JobLease, takenAt: number) => {
  let held = { lease: taken, at: takenAt }
  let isLost = false
  let renewing: Promise<void> | undefined
  const renew = async () => {
    const at = elapsed(clock)
    const lease = leaseTaken(held.lease, clock.now())
    const renewed = await jobLeases.replace(lease)()
    if (E.isLeft(renewed)) return
    if (renewed.right) held = { lease, at }
    else isLost = true
  }
  const timer = setInterval(() => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
  }, RENEW_EVERY).unref()
  return {
    /** Returns whether another process may hold the job by now. */
    isOver: () => isLost || elapsed(clock) - held.at >= JOB_LEASE,
    /** Ends the lease. If that fails, it ends by itself. */
    release: async (begun: JobLease['ranAt']) => {
      clearInterval(timer)
      await renewing
      await jobLeases.replace(leaseEnded(held.lease, begun))()
    },
  }
}

/** Works while a lease lasts, and releases it. */
const workWith = async <L, A>(
  { isOver, release }: ReturnType<typeof keepLease>,
  begun: Instant,
  work: (signal: StopSignal) => TaskEither<L, A>,
  signal: StopSignal,
): Promise<E.Either<L, A>> => {
  const held: StopSignal = {
    get aborted() {
      return signal.aborted || isOver()
    },
  }
  let completed: JobLease['ranAt'] = O.none
  try {
    const result = await work(held)()
    if (E.isRight(result) && !held.aborted) completed = O.some(begun)
    return result
  } finally {
    await release(completed)
  }
}

/**
 * Makes a function that runs a job in one process at a time: in the others it does nothing and returns 0, and so it does within half a period after a
 * completed run of any process. When the lease is lost in the middle of a run, as by a process that hung, the signal of the work is aborted, so that
 * it begins no further step. The step that runs may overlap with the other process: a job must delete only what any process would delete.
 * @param period milliseconds between two runs
 */
export const leased = (
  ports: Pick<Ports, 'jobLeases'> & { readonly clock: Clock },
  job: string,
  period: number,
): (<L, A>(
  work: (signal: StopSignal) => TaskEither<L, A>,
) => (signal: StopSignal) => TaskEither<L | Unavailable, A | 0>) => {
  const { clock, jobLeases } = ports
  const isFree = watchHold(clock, JOB_LEASE)
  /** Takes the lease; none if another process has it, or has done the job. */
  const take = (now: Instant): TaskEither<Unavailable, O.Option<JobLease>> =>
    pipe(
      jobLeases.find(job),
      TE.flatMap((found) => {
        if (!isFree(found, now) || !isJobDue(found, now, period)) return TE.right(O.none)
        const taken = leaseTaken(found, now)
        return TE.map((isTaken) => (isTaken ? O.some(taken) : O.none))(jobLeases.replace(taken))
      }),
    )
  return (work) => (signal) => async () => {
    const [begun, begunAt] = [clock.now(), elapsed(clock)]
    const taken = await take(begun)()
    if (E.isLeft(taken)) return taken
    if (O.isNone(taken.right)) return E.right(0)
    return workWith(keepLease(ports, taken.right.value, begunAt), begun, work, signal)
  }
}
