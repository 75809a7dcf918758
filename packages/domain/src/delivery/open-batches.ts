import * as E from 'fp-ts/lib/Either.js'
import { NO_OUTCOMES, type Shortened, type Tally } from '../notifications/model.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Pause } from './origins.ts'
import type { SetAside } from './recording.ts'
import type { Served } from './send-batch.ts'
import type { ResponseCount } from './sending.ts'

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

/** What one review did. */
export interface ReviewSummary {
  /** Notifications that it took up. */
  readonly started: number
  /** Final outcomes. */
  readonly tally: Tally
  /** Sends that are to be tried again. */
  readonly retries: number
  /** Devices that wait for their origin, as often as they were put off. */
  readonly deferred: number
  /** Origins that it has stopped, or that are probed from now on. */
  readonly paused: ReadonlyArray<Pause>
  /** What providers answered to pushes that they did not take. */
  readonly answers: ReadonlyArray<ResponseCount>
  /** Results that could not be recorded, by batch; their devices count as failed (G10). */
  readonly setAside: ReadonlyArray<SetAside>
  /** Notifications whose items have made their messages too long, and what was left out (G6). */
  readonly shortened: ReadonlyArray<{
    readonly notificationId: NotificationId
    readonly shortened: Shortened
  }>
}

/** A review before it has done anything. */
export const NOTHING: ReviewSummary = {
  started: 0,
  tally: NO_OUTCOMES,
  retries: 0,
  deferred: 0,
  paused: [],
  answers: [],
  setAside: [],
  shortened: [],
}

/** Adds results to a summary. */
export const addResults = (
  before: ReviewSummary,
  { results, paused, setAside: unrecorded }: Served,
): ReviewSummary => {
  const tally = { ...before.tally }
  let { retries, deferred } = before
  for (const result of results) {
    if (result.kind === 'ended') tally[result.outcome] += 1
    else if (result.kind === 'held') deferred += 1
    else retries += 1
  }
  tally.failed += unrecorded?.devices ?? 0
  const setAside = unrecorded === undefined ? before.setAside : [...before.setAside, unrecorded]
  return { ...before, tally, retries, deferred, setAside, paused: [...before.paused, ...paused] }
}
