import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'
import type { Instant } from '../../values/instant.ts'

interface Run<L, A> {
  readonly at: Instant
  readonly result: Promise<E.Either<L, A>>
}

/**
 * Makes a costly task that is run once for all who ask within `life` milliseconds, and once at a time. A failure is not kept: the next caller
 * tries again.
 */
export const sharedTask = <L, A>(
  clock: Clock,
  life: number,
  task: TE.TaskEither<L, A>,
): TE.TaskEither<L, A> => {
  let latest: Run<L, A> | undefined
  return async () => {
    const now = clock.now()
    if (latest !== undefined && now >= latest.at && now < latest.at + life) return latest.result
    const run: Run<L, A> = { at: now, result: task() }
    latest = run
    const forget = () => {
      if (latest === run) latest = undefined
    }
    const result = await run.result.catch((cause: unknown) => {
      forget()
      throw cause
    })
    if (E.isLeft(result)) forget()
    return result
  }
}
