import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { messageNow } from '../notifications/previews.ts'
import { inProviderOrder, type Provider, providersWith } from '../people/destinations.ts'
import {
  type Clock,
  elapsed,
  NEVER_STOPPED,
  type StopSignal,
  type Unavailable,
  watchSteps,
} from '../values/ports.ts'
import { addMillis, type Instant, instant, SECOND } from '../values/time.ts'
import { type BatchId, type ClaimRequest, LEASE, type Lease } from './batch.ts'
import { type Lanes, makeLanes, makeSignal, type OriginMemory } from './lanes.ts'
import { addResults, makeOpenBatches, NOTHING, type OpenBatches, type ReviewSummary } from './open-batches.ts'
import type { DeliveryPolicy, DeliveryPorts } from './ports.ts'
import { type Serving, type ServingNeeds, sendBatch } from './send-batch.ts'
import { countResponses, type FittedMessage, fitted, providersOf } from './sending.ts'

/** Leases that are watched at most; more than many processes have. */
const MOST = 1000

/** A lease as it was first seen. */
interface Seen {
  readonly fence: number
  readonly until: number
  /** By the clock that is never set, in milliseconds. */
  readonly at: number
}

/**
 * Watches the leases of other processes (I9). Their stored ends prove nothing after a step of the clock: a batch is taken over only when its
 * lease has been the same for as long as a lease lasts, by a clock that is never set. It counts from the first look on.
 */
export const makeLeaseWatch = (clock: Clock): ((lease: Lease) => boolean) => {
  const seen = new Map<string, Seen>()
  return ({ notificationId, number, fence, until }) => {
    const name = `${notificationId} ${number}`
    const known = seen.get(name)
    if (known !== undefined && known.fence === fence && known.until === until)
      return elapsed(clock) - known.at >= LEASE
    seen.delete(name)
    seen.set(name, { fence, until, at: elapsed(clock) })
    const [oldest = name] = seen.keys()
    if (seen.size > MOST) seen.delete(oldest)
    return false
  }
}

/**
 * Makes a step that releases devices which wait for their origin (G5, G15): of open origins up to the demand of this process, and one
 * device of each origin whose next probe is due. Gives how many it has released.
 * @param carried the providers that this process sends by
 */
const makeRelease = (
  { deliveries, clock, random }: Pick<DeliveryPorts, 'deliveries' | 'clock' | 'random'>,
  carried: ReadonlySet<Provider>,
  { demand }: Pick<Lanes, 'demand'>,
): TE.TaskEither<Unavailable, number> => {
  const by = inProviderOrder(carried)
  return () =>
    deliveries.releaseDeferred({ now: clock.now(), by, room: demand, fraction: random.fraction() })()
}

/** Pause after a failed start, in milliseconds: devices that attach wait behind each attempt, and batches are sent meanwhile. */
const RETRY_AFTER = 10 * SECOND

/** Starts due notifications, and remembers a failure. */
interface Starter {
  /** Starts due notifications, unless that has just failed. Never fails: running deliveries continue. */
  start(): Promise<void>
  /** How many notifications it has started. */
  started(): number
  /** Why the last attempt failed; undefined when it succeeded. */
  failure(): Unavailable | undefined
}

/**
 * Makes the starter of one review. A start that fails does not keep batches of other notifications from being claimed.
 * @param life how long a notification lives, in milliseconds
 */
const makeStarter = (
  { deliveries, clock }: Pick<DeliveryPorts, 'deliveries' | 'clock'>,
  life: number,
): Starter => {
  let started = 0
  let failed: { readonly at: Instant; readonly why: Unavailable } | undefined
  return {
    async start() {
      const now = clock.now()
      if (failed !== undefined && Math.abs(now - failed.at) < RETRY_AFTER) return
      const result = await deliveries.start(now, life)()
      failed = E.isLeft(result) ? { at: now, why: result.left } : undefined
      if (E.isRight(result)) started += result.right.length
    },
    started: () => started,
    failure: () => failed?.why,
  }
}

/** How a process reviews. */
export interface Reviewing {
  /** The most sends without an outcome in the ledger: what a crash at the wrong moment can double (G5). */
  readonly window: number
  /** Ends the review early. */
  readonly signal?: StopSignal
  /** Calls back when there may be something new to claim while the review runs. Returns a function that ends this. */
  readonly onWake?: (wake: () => void) => () => void
  /**
   * The providers that other running processes send by. Devices of a provider that this process lacks are left to them; without any such
   * process they have failed (G7). Asked only where the gateway lacks a provider.
   */
  readonly elsewhere?: TE.TaskEither<Unavailable, ReadonlySet<Provider>>
}

type ReviewNeeds = ServingNeeds | 'libraryItems' | 'mediaAddresses'
type Claimed = Pick<Serving, 'batch' | 'claimedAt'>
type ReviewPolicy = Pick<DeliveryPolicy, 'look' | 'notificationLife' | 'deviceCodecs'>

/** Recipients of a batch: enough that claiming costs little, few enough that a crash leaves little to wait for. */
const BATCH = 500

const isThe =
  (one: BatchId) =>
  (other: BatchId): boolean =>
    one.notificationId === other.notificationId && one.number === other.number

const NO_PROVIDERS: ReadonlySet<Provider> = new Set()

const NEVER_WOKEN = () => () => {}

/** What a process remembers from one review to the next. */
interface ProcessMemory extends Pick<ClaimRequest, 'isAbandoned'> {
  readonly origins: OriginMemory
  readonly stepsOf: () => number | undefined
}

/** One review under way. */
const makeRun = (
  given: Pick<DeliveryPorts, ReviewNeeds>,
  policy: ReviewPolicy,
  { origins, isAbandoned, stepsOf }: ProcessMemory,
  {
    window: size,
    signal = NEVER_STOPPED,
    onWake = NEVER_WOKEN,
    elsewhere = TE.right(NO_PROVIDERS),
  }: Reviewing,
) => {
  const { gateway, notSent, responses } = countResponses(given.pushGateway)
  const ports = { ...given, pushGateway: gateway, notSent }
  const { deviceCodecs = [] } = policy
  const all = providersWith(deviceCodecs)
  const carried = providersOf(gateway, all)
  const lacking = all.filter((provider) => !carried.has(provider))
  // Paces and silences are measured: a step of the clock must not slow an origin down for hours.
  const steady = { now: () => instant(elapsed(given.clock)) }
  const lanes = makeLanes(size, steady, origins)
  stepsOf()
  const release = makeRelease(ports, carried, lanes)
  const starter = makeStarter(ports, policy.notificationLife * SECOND)
  const progress = makeSignal()
  /** Whether something has happened since the last claim that may have made more claimable. */
  let isNews = false
  const onNews = (): void => {
    isNews = true
    progress.notify()
  }
  let done = NOTHING
  let mine: ReadonlyArray<BatchId> = []
  let first: ClaimRequest['first'] = 'retries'
  const isOver = () => signal.aborted || lanes.isClosed()

  /** A step of the clock within the last hour ends no life: what it makes fail would be lost for good (I9). */
  const lifeEnd = (endsAt: Instant): Instant => {
    const ahead = Math.max(0, stepsOf() ?? 0)
    const latest = addMillis(given.clock.now(), policy.notificationLife * SECOND)
    return instant(Math.max(endsAt, Math.min(endsAt + ahead, latest)))
  }

  /** Claims the next batch: of new recipients and due retries in turns, so that neither holds up the other (G15). */
  const claim = async (): Promise<E.Either<Unavailable, O.Option<Claimed>>> => {
    const now = given.clock.now()
    const claimed = await ports.deliveries.claim({ now, most: BATCH, first, except: mine, isAbandoned })()
    if (E.isLeft(claimed) || O.isNone(claimed.right))
      return claimed as E.Either<Unavailable, O.Option<Claimed>>
    const batch = claimed.right.value
    mine = [...mine, batch.claim]
    first = first === 'retries' ? 'new recipients' : 'retries'
    return E.right(O.some({ batch, claimedAt: now }))
  }

  /** Releases deferred devices and starts newly due notifications before it claims, so that a long review delays neither. */
  const next = async (): Promise<E.Either<Unavailable, O.Option<Claimed>>> => {
    const released = await release()
    if (E.isLeft(released)) return released
    await starter.start()
    return claim()
  }

  /** Providers that this process lacks and another one has. */
  const leftToOthers: TE.TaskEither<Unavailable, ReadonlySet<Provider>> = lacking.length === 0
    ? TE.right(NO_PROVIDERS)
    : TE.map((others: ReadonlySet<Provider>) => new Set(lacking.filter((one) => others.has(one))))(elsewhere)

  const serve = async (
    { batch, claimedAt }: Claimed,
    onStuck: (isStuck: boolean) => void,
  ): Promise<E.Either<Unavailable, void>> => {
    const given = await pipe(
      TE.Do,
      TE.bind('whole', () => messageNow(ports, batch.notification, policy)),
      TE.map(({ whole }) => fitted(whole, gateway.bytesOf)),
      TE.tapIO((fit) => () => noteShortened(batch, fit)),
      TE.bind('left', () => leftToOthers),
    )()
    if (E.isLeft(given)) await ports.deliveries.releaseClaim(batch.claim)()
    const served = E.isLeft(given)
      ? given
      : await sendBatch(ports, {
          batch,
          claimedAt,
          ...given.right,
          deviceCodecs,
          lanes,
          lifeEnd,
          isOver,
          onStuck,
        })
    if (E.isLeft(served) || !served.right.isStuck) mine = mine.filter((one) => !isThe(one)(batch.claim))
    if (E.isLeft(served)) return served
    done = addResults(done, served.right)
    return E.right(undefined)
  }

  /** Notes that a message was shortened, once for each notification. */
  const noteShortened = (
    { claim: { notificationId } }: Claimed['batch'],
    { shortened }: FittedMessage,
  ): void => {
    const isKnown = done.shortened.some((one) => one.notificationId === notificationId)
    if (shortened !== '' && !isKnown)
      done = { ...done, shortened: [...done.shortened, { notificationId, shortened }] }
  }

  /** Claims and begins batches while there are some, and not enough are under way. */
  const claimSome = async (open: OpenBatches): Promise<E.Either<Unavailable, unknown>> => {
    isNews = false
    while (!isOver() && open.mayTake()) {
      const claimed = await next()
      if (E.isLeft(claimed) || O.isNone(claimed.right)) return claimed
      const { value } = claimed.right
      open.begin((onStuck) => serve(value, onStuck))
    }
    return E.right(undefined)
  }

  const serveAll = async (): Promise<E.Either<Unavailable, unknown>> => {
    const open = makeOpenBatches(onNews, lanes.close)
    let claimed: E.Either<Unavailable, unknown> = E.right(undefined)
    do {
      if (E.isRight(claimed)) claimed = await claimSome(open).catch(open.endWith)
      else isNews = false
      if (!isNews && open.isAny()) await progress.wait()
    } while (isNews || open.isAny())
    const ends = E.sequenceArray(await open.ends())
    return E.isLeft(claimed) ? claimed : ends
  }

  /** Serves until nothing is left that waited for its origin. */
  const serveAndRelease = async (isFirst = true): Promise<E.Either<Unavailable, unknown>> => {
    const released = await release()
    if (E.isLeft(released) || (!isFirst && released.right === 0)) return released
    const served = await serveAll()
    return E.isLeft(served) || isOver() ? served : serveAndRelease(false)
  }

  return async (): Promise<E.Either<Unavailable, ReviewSummary>> => {
    const unwatch = onWake(onNews)
    const ended = await serveAndRelease().finally(unwatch)
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
export const makeReview = (ports: Pick<DeliveryPorts, ReviewNeeds>, policy: ReviewPolicy) => {
  const memory: ProcessMemory = {
    origins: new Map(),
    isAbandoned: makeLeaseWatch(ports.clock),
    stepsOf: watchSteps(ports.clock),
  }
  return (reviewing: Reviewing): TE.TaskEither<Unavailable, ReviewSummary> =>
    () =>
      makeRun(ports, policy, memory, reviewing)()
}
