import * as E from 'fp-ts/lib/Either.js'
import type { Batch, ClaimLost, DeliveryResult, Recipient, Recorded } from '../../notifications/batch.ts'
import { LEASE } from '../../notifications/lease.ts'
import type { PushMessage } from '../../notifications/message.ts'
import type { Pause } from '../../notifications/pause.ts'
import type { DeviceCodec, Provider } from '../../people/destination.ts'
import type { Ports } from '../../ports/index.ts'
import { isUnavailable, type Unavailable, unavailable } from '../../ports/unavailable.ts'
import type { Instant } from '../../values/instant.ts'
import type { InFlightLimit } from './in-flight-limit.ts'
import { makeResultRecorder, type SetAside } from './record-results.ts'
import type { CountedGateway } from './response-counts.ts'
import { sendToDevice } from './send-to-device.ts'

/** The ports that serving a batch takes. */
export type ServingNeeds = 'deliveries' | 'pushGateway' | 'clock' | 'random' | 'timer'

/** What serving a batch takes. */
export interface Serving {
  readonly batch: Batch
  /** From when its lease counts. */
  readonly claimedAt: Instant
  readonly message: PushMessage
  /** Providers whose devices are left to other processes: this one cannot send by them. */
  readonly left: ReadonlySet<Provider>
  /** Further kinds of devices of the deployment. */
  readonly deviceCodecs?: ReadonlyArray<DeviceCodec>
  readonly window: InFlightLimit
  /** Returns whether to start nothing new, and finish the running sends. */
  readonly isOver: () => boolean
}

/** What came of serving a batch. */
export interface Served extends Recorded {
  /** Results that could not be recorded (G10). */
  readonly setAside: SetAside | undefined
  /** Whether the batch must not be claimed again by this review: its results cannot be recorded at all. */
  readonly isStuck: boolean
}

type Stop = ClaimLost | Unavailable

/** Something that one loop waits for and others bring about. */
const makeSignal = () => {
  let next = Promise.withResolvers<void>()
  return {
    wait: () => next.promise,
    notify: () => {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

/** A lease is renewed before a group when it is older than this: answers, and the tries to record them, must find it held. */
const FRESH = LEASE / 3

/** Milliseconds for which results are collected before they are recorded together: a write costs the same for one as for a hundred. */
const GATHERING = 5

/** Results that use this part of the in-flight limit are recorded without waiting for more, as other batches may need it. */
const MANY = 1 / 2

/**
 * Sends to every recipient of a batch. One loop starts sends as the in-flight limit allows, and checks each group just before (G4). The other
 * loop records the results that have collected meanwhile, and only then releases their permits (G5). Returns the recorded results, and the
 * providers that they have paused. When it ends early, the claim is released. A lost claim ends it and is no error: its new holder sends.
 */
export const sendBatch = async (
  ports: Pick<Ports, ServingNeeds> & Pick<CountedGateway, 'notSent'>,
  { batch, claimedAt, message, left, deviceCodecs, window, isOver }: Serving,
): Promise<E.Either<Unavailable, Served>> => {
  const begin = sendToDevice(ports, batch, message, deviceCodecs)
  const recorder = makeResultRecorder(ports, batch)
  const ended: Array<DeliveryResult> = []
  const kept: Array<DeliveryResult> = []
  const paused: Array<Pause> = []
  const progress = makeSignal()
  const many = makeSignal()
  let begun = 0
  let inFlight = 0
  let beginning = true
  let leasedAt = claimedAt
  let stop: Stop | undefined
  /** Why results can no longer be recorded: the last of them must not close a batch that lacks some. */
  let unkept: Stop | undefined
  /** What a port has thrown, which it must not. */
  let bug: { readonly cause: unknown } | undefined

  const areMany = () => ended.length >= window.size * MANY
  const mayBegin = () => begun < batch.recipients.length && stop === undefined && !isOver()

  const write = async (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<E.Either<Stop, Recorded>> => {
    const begunAt = ports.clock.now()
    const result = await recorder.record(results, last)
    if (E.isRight(result)) leasedAt = begunAt
    return result
  }

  const writeOrStop = (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<E.Either<Stop, Recorded>> =>
    write(results, last).catch((cause: unknown) => {
      bug = { cause }
      return E.left(unavailable(cause))
    })

  const checked = async (group: ReadonlyArray<Recipient>) => {
    const isFresh = Math.abs(ports.clock.now() - leasedAt) <= FRESH
    const renewed = isFresh ? E.right(undefined) : await write([], false)
    return E.isLeft(renewed)
      ? renewed
      : ports.deliveries.checkEligibility(batch.claim, group, ports.clock.now())()
  }

  const end = (result: DeliveryResult | undefined): void => {
    inFlight -= 1
    if (result !== undefined) ended.push(result)
    progress.notify()
    if (areMany()) many.notify()
  }

  const beginGroup = async (places: number): Promise<void> => {
    const group = batch.recipients.slice(begun, begun + places)
    const eligibility = await checked(group)
    if (E.isLeft(eligibility)) stop = eligibility.left
    if (E.isLeft(eligibility) || !mayBegin()) return window.release(places)
    const { devices, paused: stopped } = eligibility.right
    const eligibleNow = { devices, paused: left.size === 0 ? stopped : new Set([...stopped, ...left]) }
    begun += group.length
    inFlight += group.length
    for (const recipient of group)
      begin(recipient, eligibleNow).then(end, (cause) => {
        bug = { cause }
        end(undefined)
      })
  }

  const beginAll = async (): Promise<void> => {
    try {
      while (mayBegin()) {
        const places = await window.acquire(batch.recipients.length - begun)
        if (mayBegin()) await beginGroup(places)
        else window.release(places)
      }
    } catch (cause) {
      bug = { cause }
    } finally {
      beginning = false
      progress.notify()
    }
  }

  const keepEnded = async (): Promise<void> => {
    if (!areMany()) await Promise.race([ports.timer.wait(GATHERING)(), many.wait()])
    const results = ended.splice(0)
    const last = begun === batch.recipients.length && inFlight === 0 && bug === undefined
    const result = unkept === undefined ? await writeOrStop(results, last) : E.left(unkept)
    if (E.isRight(result)) {
      kept.push(...result.right.results)
      paused.push(...result.right.paused)
    } else stop = unkept = result.left
    if (unkept !== undefined && isUnavailable(unkept)) window.close()
    window.release(results.length)
  }

  const all = beginAll()
  while (beginning || inFlight > 0 || ended.length > 0) {
    // Starts nothing new; records the running sends before the bug is rethrown.
    if (bug !== undefined) window.close()
    await (ended.length > 0 ? keepEnded() : progress.wait())
  }
  await all
  if (bug !== undefined) throw bug.cause
  if (begun < batch.recipients.length || stop !== undefined)
    await ports.deliveries.releaseClaim(batch.claim)()
  return stop !== undefined && isUnavailable(stop)
    ? E.left(stop)
    : E.right({ results: kept, paused, setAside: recorder.setAside(), isStuck: recorder.isStuck() })
}
