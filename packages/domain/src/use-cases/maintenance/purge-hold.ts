import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditQuery } from '../../history/model.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { DOUBT, elapsed, type Unavailable, watchSteps } from '../../values/ports.ts'
import { type Instant, MINUTE } from '../../values/time.ts'

/** Milliseconds from the newest record beyond which the clock of a start is doubted (I9). */
const DAY = 24 * 60 * MINUTE

const ALL: AuditQuery = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }

type Needs = Pick<OperationsPorts, 'clock' | 'history'>

/** Returns when the latest change was recorded; none in a store without records. */
export const newestRecord = ({
  history,
}: Pick<OperationsPorts, 'history'>): TE.TaskEither<Unavailable, O.Option<Instant>> =>
  pipe(
    history.audit(ALL, { lim: O.some(1), offset: 0, after: O.none }),
    TE.flatMap(({ batches }) => async () => {
      for await (const [newest] of batches) if (newest !== undefined) return E.right(O.some(newest.at))
      return E.right(O.none)
    }),
  )

/** Returns whether a moment is more than a day away from the newest record. */
export const isFarFrom = (newest: O.Option<Instant>, now: Instant): boolean =>
  O.isSome(newest) && Math.abs(now - newest.value) > DAY

/**
 * Makes the question whether purges are to wait, which begins with the start of a process (I9). What a clock that jumped ahead deletes is lost, so
 * nothing is purged within an hour after a step of more than a minute, or after a start more than a day away from the newest record.
 */
export const makePurgeHold = ({ clock, history }: Needs): TE.TaskEither<Unavailable, boolean> => {
  const start = { at: clock.now(), since: elapsed(clock) }
  const stepsOf = watchSteps(clock)
  stepsOf()
  let isStartDoubted = false
  // Asked at once: what this process records later says nothing of its clock.
  let looked: Promise<E.Either<Unavailable, O.Option<Instant>>> | undefined = newestRecord({ history })()
  const lookAtStart = async (): Promise<E.Either<Unavailable, void>> => {
    if (looked === undefined) return E.right(undefined)
    const newest = await looked
    if (E.isLeft(newest)) {
      looked = newestRecord({ history })()
      return newest
    }
    looked = undefined
    isStartDoubted = isFarFrom(newest.right, start.at)
    return E.right(undefined)
  }
  return async () => {
    const isStepDoubted = stepsOf() !== undefined
    const isEarly = elapsed(clock) - start.since < DOUBT
    const seen = await lookAtStart()
    return E.isLeft(seen) ? seen : E.right(isStepDoubted || (isStartDoubted && isEarly))
  }
}
