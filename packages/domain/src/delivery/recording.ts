import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Shortened } from '../notifications/model.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Clock, Unavailable } from '../values/ports.ts'
import { type Instant, SECOND } from '../values/time.ts'
import { type Batch, CLAIM_LOST, type ClaimLost, type DeliveryResult, LEASE, type Recorded } from './batch.ts'
import type { DeliveryPorts } from './ports.ts'

/** How long to wait before each further try, in milliseconds. Should the tries outlast the lease, its fence keeps the ledger right. */
const AFTER_STOP = [0.1 * SECOND, 0.5 * SECOND, 2 * SECOND, 5 * SECOND]

/**
 * Records results of pushes that were sent. A failed write is retried for a while: a result that is not in the ledger would
 * be taken a second time.
 */
const recordWithRetry =
  (
    ports: Pick<DeliveryPorts, 'deliveries' | 'pushGateway' | 'clock' | 'timer'>,
    { claim }: Batch,
    shortened: Shortened,
  ) =>
  (results: ReadonlyArray<DeliveryResult>, last: boolean): TE.TaskEither<ClaimLost | Unavailable, Recorded> =>
  async () => {
    const { credentials = {} } = ports.pushGateway
    const attempt = () =>
      ports.deliveries.record(claim, results, { now: ports.clock.now(), last, credentials, shortened })()
    let kept = await attempt()
    for (const wait of AFTER_STOP) {
      if (E.isRight(kept) || kept.left._tag === 'ClaimLost') return kept
      await ports.timer.wait(wait)()
      kept = await attempt()
    }
    return kept
  }

/** Results of a batch that could not be recorded: their devices count as failed (G10). */
export interface SetAside {
  readonly notificationId: NotificationId
  readonly devices: number
  /** What recording threw. */
  readonly cause: unknown
}

type RecordResult<A> = E.Either<ClaimLost | Unavailable, A>

/** Records the results of one batch. */
export interface ResultRecorder {
  /** Records results; with `last` the batch is done. Results that are refused are set aside, which is no failure. */
  record(results: ReadonlyArray<DeliveryResult>, last: boolean): Promise<RecordResult<Recorded>>
  /** What was set aside so far; undefined when everything could be recorded. */
  setAside(): SetAside | undefined
  /** Whether not even the batch as a whole could be set aside: claimed again, it would be sent again. */
  isStuck(): boolean
}

/** Waits before a batch that was refused is tried again whole, in milliseconds. */
const WAITS = [0.1 * SECOND, 0.5 * SECOND, 2 * SECOND]

/** An answer, or what the store has thrown: a bug or a broken row, which waiting need not mend. */
type Attempt<A> = E.Either<{ readonly cause: unknown }, RecordResult<A>>

const caught = async <A>(work: () => Promise<RecordResult<A>>): Promise<Attempt<A>> => {
  try {
    return E.right(await work())
  } catch (cause) {
    return E.left({ cause })
  }
}

const NOTHING_RECORDED: Recorded = { results: [], paused: [] }

const both = (one: Recorded, other: Recorded): Recorded => ({
  results: [...one.results, ...other.results],
  paused: [...one.paused, ...other.paused],
})

/**
 * Makes the recorder of a batch (G10). What the store refuses is tried again with backoff and then split in halves, so that only the
 * results at fault are set aside: each as a failed device or, if that is refused too, with the rest of the batch as a whole.
 */
export const makeResultRecorder = (
  ports: Pick<DeliveryPorts, 'deliveries' | 'pushGateway' | 'clock' | 'timer'>,
  batch: Batch,
  shortened: Shortened,
): ResultRecorder => {
  const keep = recordWithRetry(ports, batch, shortened)
  let devices = 0
  let first: { readonly cause: unknown } | undefined
  let mustClose = false
  let isStuck = false

  const attempt = (results: ReadonlyArray<DeliveryResult>, last: boolean) => caught(keep(results, last))

  const withBackoff = async (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<Attempt<Recorded>> => {
    let result = await attempt(results, last)
    for (const wait of WAITS) {
      if (E.isRight(result)) return result
      await ports.timer.wait(wait)()
      result = await attempt(results, last)
    }
    return result
  }

  /** Records a device as failed in the place of a result that is refused. */
  const fail = async ({ deviceId }: DeliveryResult, cause: unknown): Promise<RecordResult<Recorded>> => {
    first ??= { cause }
    const failed = await attempt([{ deviceId, kind: 'notSent', outcome: 'failed' }], false)
    if (E.isLeft(failed)) mustClose = true
    else if (E.isLeft(failed.right)) return failed.right
    else devices += 1
    return E.right(NOTHING_RECORDED)
  }

  /** Records results that were refused together. */
  const split = async (
    results: ReadonlyArray<DeliveryResult>,
    cause: unknown,
  ): Promise<RecordResult<Recorded>> => {
    const [only, ...more] = results
    if (only !== undefined && more.length === 0) return fail(only, cause)
    const half = Math.ceil(results.length / 2)
    let all = NOTHING_RECORDED
    for (const part of [results.slice(0, half), results.slice(half)]) {
      const tried = await attempt(part, false)
      const answer = E.isLeft(tried) ? await split(part, tried.left.cause) : tried.right
      if (E.isLeft(answer)) return answer
      all = both(all, answer.right)
    }
    return E.right(all)
  }

  /** Sets aside all of the batch that is not recorded. */
  const close = async (cause: unknown): Promise<RecordResult<void>> => {
    first ??= { cause }
    const closed = await caught(() => ports.deliveries.setAside(batch.claim, ports.clock.now())())
    isStuck = E.isLeft(closed)
    if (E.isLeft(closed)) return E.left(CLAIM_LOST)
    if (E.isLeft(closed.right)) return closed.right
    devices += closed.right.right
    return E.right(undefined)
  }

  /** Ends the batch after its last results. */
  const finish = async (): Promise<RecordResult<unknown>> => {
    if (mustClose) return close(first?.cause)
    const ended = await attempt([], true)
    return E.isLeft(ended) ? close(ended.left.cause) : ended.right
  }

  /** Closes a batch of which nothing can be recorded, not even its lease; no process continues it. */
  const giveUp = async (cause: unknown): Promise<RecordResult<Recorded>> => {
    const closed = await close(cause)
    return E.isLeft(closed) ? closed : E.left(CLAIM_LOST)
  }

  return {
    async record(results, last) {
      const isWhole = last && !mustClose
      const whole = await withBackoff(results, isWhole)
      if (E.isLeft(whole) && results.length === 0) return giveUp(whole.left.cause)
      const answer = E.isLeft(whole) ? await split(results, whole.left.cause) : whole.right
      const isOver = isWhole && E.isRight(whole)
      if (E.isLeft(answer) || !last || isOver) return answer
      const finished = await finish()
      return E.isLeft(finished) ? finished : answer
    },
    setAside: () => first && { notificationId: batch.claim.notificationId, devices, cause: first.cause },
    isStuck: () => isStuck,
  }
}

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
