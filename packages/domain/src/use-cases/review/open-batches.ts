import * as E from 'fp-ts/lib/Either.js'
import type { Unavailable } from '../../values/ports.ts'

/** Batches that move on at a time, so that one begins while the last answers of another are awaited. */
const WORKERS = 2

/** Batches that are open at most. Some may be stuck: all of their recipients wait for their origins, and others are claimed meanwhile (G15). */
const MOST_OPEN = 32

type Work = (onStuck: (isStuck: boolean) => void) => Promise<E.Either<Unavailable, void>>

/** The batches of a review that are under way. */
export interface OpenBatches {
  /** Whether another batch should be claimed: too few move on, and none has failed. */
  mayTake(): boolean
  /** Begins to serve a batch. */
  begin(work: Work): void
  isAny(): boolean
  /** Ends all batches, and rejects with a bug that a claim has thrown. */
  endWith(bug: unknown): Promise<never>
  /** Waits for all batches, and gives how they ended. If one rejects, which is a bug, rethrows its error after the others have ended. */
  ends(): Promise<ReadonlyArray<E.Either<Unavailable, void>>>
}

/**
 * Makes the open batches of a review, none at first.
 * @param onNews called when a batch has ended or is stuck
 * @param onBug called when a batch has thrown, which must not go on with others
 */
export const makeOpenBatches = (onNews: () => void, onBug: () => void): OpenBatches => {
  const works: Array<Promise<E.Either<Unavailable, void>>> = []
  let open = 0
  let stuck = 0
  let hasFailed = false

  const run = async (work: Work): Promise<E.Either<Unavailable, void>> => {
    let isStuck = false
    const onStuck = (now: boolean): void => {
      stuck += Number(now) - Number(isStuck)
      isStuck = now
      if (now) onNews()
    }
    open += 1
    try {
      const served = await work(onStuck)
      hasFailed ||= E.isLeft(served)
      return served
    } catch (bug) {
      onBug()
      throw bug
    } finally {
      onStuck(false)
      open -= 1
      onNews()
    }
  }

  const all = (): Promise<ReadonlyArray<PromiseSettledResult<E.Either<Unavailable, void>>>> =>
    Promise.allSettled(works)

  return {
    mayTake: () => !hasFailed && open < MOST_OPEN && open - stuck < WORKERS,
    begin(work) {
      const running = run(work)
      // It is looked at when all batches have ended.
      running.catch(() => {})
      works.push(running)
    },
    isAny: () => open > 0,
    async endWith(bug) {
      onBug()
      await all()
      throw bug
    },
    async ends() {
      return (await all()).map((end) => {
        if (end.status === 'rejected') throw end.reason
        return end.value
      })
    },
  }
}
