import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../values/ports.ts'
import type { Instant } from '../../values/time.ts'

interface Run<L, A> {
  readonly at: Instant
  readonly result: Promise<E.Either<L, A>>
  isRunning: boolean
}

/**
 * Makes a costly task that runs once at a time, for all callers meanwhile. Its result also answers calls within `life` milliseconds of its start,
 * unless it is a failure.
 */
export const sharedTask = <L, A>(
  clock: Clock,
  life: number,
  task: TE.TaskEither<L, A>,
): TE.TaskEither<L, A> => {
  let latest: Run<L, A> | undefined
  const isFresh = ({ at, isRunning }: Run<L, A>, now: Instant): boolean =>
    isRunning || (now >= at && now < at + life)
  return async () => {
    const now = clock.now()
    if (latest !== undefined && isFresh(latest, now)) return latest.result
    const run: Run<L, A> = { at: now, result: task(), isRunning: true }
    latest = run
    try {
      const result = await run.result
      if (E.isRight(result)) return result
      latest = undefined
      return result
    } catch (cause) {
      latest = undefined
      throw cause
    } finally {
      run.isRunning = false
    }
  }
}
