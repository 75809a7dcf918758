import * as E from 'fp-ts/lib/Either.js'
import type { ClaimLost, DeliveryResult, Recorded } from '../../notifications/batch.ts'
import { LEASE } from '../../notifications/lease.ts'
import type { Clock, Unavailable } from '../../values/ports.ts'
import type { Instant } from '../../values/time.ts'
import type { ResultRecorder } from './record-results.ts'

/** Why a batch ends before all of its recipients have a result. */
export type Stop = ClaimLost | Unavailable

/** A lease is renewed when it is older than this: answers, and the tries to record them, must find it held. */
const FRESH = LEASE / 3

/**
 * Writes for a batch, one after the other: each renews the lease and locks the batch.
 * @param claimedAt from when the lease counts
 */
export const makeLeasedWrites = (clock: Clock, recorder: ResultRecorder, claimedAt: Instant) => {
  let leasedAt = claimedAt
  let writing: Promise<unknown> = Promise.resolve()

  const writeNow = async (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<E.Either<Stop, Recorded>> => {
    const begunAt = clock.now()
    const result = await recorder.record(results, last)
    if (E.isRight(result)) leasedAt = begunAt
    return result
  }

  const isFresh = (): boolean => Math.abs(clock.now() - leasedAt) <= FRESH

  /** Records results; with `last` the batch is done. */
  const write = (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<E.Either<Stop, Recorded>> => {
    const written = writing.then(() => writeNow(results, last))
    writing = written.catch(() => {})
    return written
  }

  return {
    write,
    /** Renews the lease if it is old and no write that is under way renews it. */
    renewed: async (): Promise<E.Either<Stop, unknown>> => {
      if (!isFresh()) await writing
      return isFresh() ? E.right(undefined) : write([], false)
    },
  }
}
