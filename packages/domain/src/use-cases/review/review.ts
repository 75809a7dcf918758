import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BatchId } from '../../notifications/batch.ts'
import { type Provider, providersWith } from '../../people/destination.ts'
import type { Ports } from '../../ports/index.ts'
import { providersOf } from '../../ports/push-gateway.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { type Instant, SECOND } from '../../values/instant.ts'
import { messageNow } from '../notifications/message-now.ts'
import type { Policy } from '../policy.ts'
import { NEVER_STOPPED, type StopSignal } from '../stop-signal.ts'
import { allSettledOrThrow } from './all-settled-or-throw.ts'
import { makeInFlightLimit } from './in-flight-limit.ts'
import { makeReleases } from './releases.ts'
import { countResponses } from './response-counts.ts'
import { addResults, NOTHING, type ReviewSummary } from './review-summary.ts'
import { type Serving, type ServingNeeds, sendBatch } from './send-batch.ts'
import { makeStarter } from './start-due.ts'

/** How a process reviews. */
export interface Reviewing {
  /** The most sends without an outcome in the ledger: what a crash at the wrong moment can double (G5). */
  readonly window: number
  /** Ends the review early. */
  readonly signal?: StopSignal
  /**
   * The providers that other running processes send by. Devices of a provider that this process lacks are left to them; without any such
   * process they have failed (G7). Asked only where the gateway lacks a provider.
   */
  readonly elsewhere?: TE.TaskEither<Unavailable, ReadonlySet<Provider>>
}

type Needs = ServingNeeds | 'libraryItems' | 'mediaAddresses'
type Claimed = Pick<Serving, 'batch' | 'claimedAt'>
type ReviewPolicy = Pick<Policy, 'look' | 'notificationLife' | 'deviceCodecs'>

/** Recipients of a batch: enough that claiming costs little, few enough that a crash leaves little to wait for. */
const BATCH = 500

/** Batches served at a time, so that one begins while the last answers of another are awaited. */
const WORKERS = 2

const isThe =
  (one: BatchId) =>
  (other: BatchId): boolean =>
    one.notificationId === other.notificationId && one.number === other.number

const NO_PROVIDERS: ReadonlySet<Provider> = new Set()

/** One review under way. */
const makeRun = (
  given: Pick<Ports, Needs>,
  policy: ReviewPolicy,
  { window: size, signal = NEVER_STOPPED, elsewhere = TE.right(NO_PROVIDERS) }: Reviewing,
) => {
  const { gateway, notSent, responses } = countResponses(given.pushGateway)
  const ports = { ...given, pushGateway: gateway, notSent }
  const { deviceCodecs = [] } = policy
  const all = providersWith(deviceCodecs)
  const carried = providersOf(gateway, all)
  const lacking = all.filter((provider) => !carried.has(provider))
  const releases = makeReleases(ports, carried, size)
  const window = makeInFlightLimit(size)
  const starter = makeStarter(ports, policy.notificationLife * SECOND)
  let done = NOTHING
  let mine: ReadonlyArray<BatchId> = []
  let claiming: Promise<unknown> = Promise.resolve()
  const isOver = () => signal.aborted || window.isClosed()

  /**
   * Claims the next batch. First releases deferred devices and starts newly due notifications, so that a long review delays neither.
   */
  const next = (): TE.TaskEither<Unavailable, O.Option<Claimed>> => async () => {
    const released = await releases.whileSending()
    if (E.isLeft(released)) return released
    await starter.start()
    return claim(ports.clock.now())()
  }

  const claim = (now: Instant): TE.TaskEither<Unavailable, O.Option<Claimed>> =>
    pipe(
      ports.deliveries.claim({ now, most: BATCH, except: mine }),
      TE.map(O.map((batch) => ({ batch, claimedAt: now }))),
      TE.tapIO((claimed) => () => {
        if (O.isSome(claimed)) mine = [...mine, claimed.value.batch.claim]
      }),
    )

  /** Workers claim one after the other, because each must exclude the batches of the others, regardless of their leases. */
  const inTurn = (): ReturnType<ReturnType<typeof next>> => {
    const claimed = claiming.then(() => next()())
    claiming = claimed.catch(() => undefined)
    return claimed
  }

  /** Providers that this process lacks and another one has. */
  const leftToOthers: TE.TaskEither<Unavailable, ReadonlySet<Provider>> = lacking.length === 0
    ? TE.right(NO_PROVIDERS)
    : TE.map((others: ReadonlySet<Provider>) => new Set(lacking.filter((one) => others.has(one))))(elsewhere)

  const serve = async ({ batch, claimedAt }: Claimed): Promise<E.Either<Unavailable, void>> => {
    const given = await pipe(
      TE.Do,
      TE.bind('message', () => messageNow(ports, batch.notification, policy)),
      TE.bind('left', () => leftToOthers),
    )()
    if (E.isLeft(given)) await ports.deliveries.releaseClaim(batch.claim)()
    const served = E.isLeft(given)
      ? given
      : await sendBatch(ports, { batch, claimedAt, ...given.right, deviceCodecs, window, isOver })
    if (E.isLeft(served) || !served.right.isStuck) mine = mine.filter((one) => !isThe(one)(batch.claim))
    if (E.isLeft(served)) return served
    done = addResults(done, served.right)
    return E.right(undefined)
  }

  const worker = async (): Promise<E.Either<Unavailable, void>> => {
    while (!isOver()) {
      const claimed = await inTurn()
      if (E.isLeft(claimed)) return claimed
      if (O.isNone(claimed.right)) break
      const served = await serve(claimed.right.value)
      if (E.isLeft(served)) return served
    }
    return E.right(undefined)
  }

  /** A bug in one lane ends the other too, once what it has begun is written down. */
  const safely = async (): Promise<E.Either<Unavailable, void>> => {
    try {
      return await worker()
    } catch (bug) {
      window.close()
      throw bug
    }
  }

  const serveAll = async (): Promise<E.Either<Unavailable, unknown>> =>
    E.sequenceArray(await allSettledOrThrow(Array.from({ length: WORKERS }, safely)))

  /** Serves until nothing is left that a pause kept waiting. */
  const serveAndRelease = async (isFirst = true): Promise<E.Either<Unavailable, unknown>> => {
    const released = await releases.whileIdle()
    if (E.isLeft(released) || (!isFirst && released.right === 0)) return released
    const served = await serveAll()
    return E.isLeft(served) || isOver() ? served : serveAndRelease(false)
  }

  return async (): Promise<E.Either<Unavailable, ReviewSummary>> => {
    const ended = await serveAndRelease()
    if (E.isLeft(ended)) return ended
    const unstarted = starter.failure()
    return unstarted === undefined
      ? E.right({ ...done, started: starter.started(), answers: responses() })
      : E.left(unstarted)
  }
}

/**
 * One review (G4): starts the due notifications of the store, and sends batches until there are none to claim. Several
 * processes may review at once. Unavailable when the store fails; the ledger stays, and the next review continues.
 */
export const makeReview =
  (ports: Pick<Ports, Needs>, policy: ReviewPolicy) =>
  (reviewing: Reviewing): TE.TaskEither<Unavailable, ReviewSummary> =>
  () =>
    makeRun(ports, policy, reviewing)()
