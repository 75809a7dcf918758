import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { PushMessage, Shortened } from '../notifications/model.ts'
import type { DeviceCodec, Provider } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import { isUnavailable, type Unavailable, unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { Batch, DeliveryResult, Eligibility, Recipient, Recorded, Settled } from './batch.ts'
import { type Lanes, makeSignal } from './lanes.ts'
import type { Origin, Pause } from './origins.ts'
import type { DeliveryPorts } from './ports.ts'
import { makeLeasedWrites, makeResultRecorder, type SetAside, type Stop } from './recording.ts'
import { type CountedGateway, makeSender } from './sending.ts'

/** The recipients of a batch that have no result yet and are not in flight, in their order. */
interface Queue {
  size(): number
  /** Returns the next ones, at most `most`, whose origin is not known yet or has room. They stay in the queue. */
  next(most: number): ReadonlyArray<Recipient>
  /** Notes that a recipient waits for an origin. */
  wait(recipient: Recipient, origin: Origin): void
  /** Takes a recipient out. */
  remove(recipient: Recipient): void
  /** Takes the recipients out that are left to the store: too many wait for their origin, or it gives no answers. */
  crowded(): ReadonlyArray<{ readonly deviceId: DeviceId; readonly origin: Origin }>
  /** Subtracts the rest from the counts of waiting recipients. */
  leave(): void
}

/** Returns a function that takes a place of an origin, if there is one; there is for an origin that is not known yet. */
const makeRooms = (lanes: Pick<Lanes, 'room'>): ((origin: Origin | undefined) => boolean) => {
  const rooms = new Map<Origin, number>()
  return (origin) => {
    if (origin === undefined) return true
    const room = rooms.get(origin) ?? lanes.room(origin)
    rooms.set(origin, room - 1)
    return room >= 1
  }
}

/** Makes the queue of a batch. */
const makeQueue = (
  recipients: ReadonlyArray<Recipient>,
  lanes: Pick<Lanes, 'room' | 'wait' | 'isCrowded'>,
): Queue => {
  const left = new Map(recipients.map((recipient) => [recipient.deviceId, recipient]))
  const origins = new Map<DeviceId, Origin>()

  const forget = (deviceId: DeviceId): void => {
    const origin = origins.get(deviceId)
    if (origin !== undefined) lanes.wait(origin, -1)
    origins.delete(deviceId)
  }

  return {
    size: () => left.size,
    next(most) {
      const hasRoom = makeRooms(lanes)
      const chosen: Array<Recipient> = []
      for (const recipient of left.values()) {
        if (chosen.length >= most) break
        if (hasRoom(origins.get(recipient.deviceId))) chosen.push(recipient)
      }
      return chosen
    },
    wait({ deviceId }, origin) {
      if (origins.get(deviceId) === origin) return
      forget(deviceId)
      origins.set(deviceId, origin)
      lanes.wait(origin, 1)
    },
    remove({ deviceId }) {
      left.delete(deviceId)
      forget(deviceId)
    },
    crowded() {
      const crowded = new Set([...new Set(origins.values())].filter(lanes.isCrowded))
      if (crowded.size === 0) return []
      const gone = [...origins].filter(([, origin]) => crowded.has(origin))
      for (const [deviceId] of gone) {
        left.delete(deviceId)
        forget(deviceId)
      }
      return gone.map(([deviceId, origin]) => ({ deviceId, origin }))
    },
    leave() {
      for (const deviceId of [...origins.keys()]) forget(deviceId)
    },
  }
}

/** The ports that serving a batch takes. */
export type ServingNeeds = 'deliveries' | 'pushGateway' | 'clock' | 'random' | 'timer'

/** What serving a batch takes. */
export interface Serving {
  readonly batch: Batch
  /** From when its lease counts. */
  readonly claimedAt: Instant
  readonly message: PushMessage
  /** What was left out of it. */
  readonly shortened: Shortened
  /** Providers whose devices are left to other processes: this one cannot send by them. */
  readonly left: ReadonlySet<Provider>
  /** Further kinds of devices of the deployment. */
  readonly deviceCodecs?: ReadonlyArray<DeviceCodec>
  readonly lanes: Lanes
  /** Returns the end of a notification's life by the present clock, which may have been set. */
  readonly lifeEnd: (endsAt: Instant) => Instant
  /** Returns whether to start nothing new, and finish the running sends. */
  readonly isOver: () => boolean
  /** Called when all of its remaining recipients wait for their origins, and when that is over. */
  readonly onStuck: (isStuck: boolean) => void
}

/** What came of serving a batch. */
export interface Served extends Recorded {
  /** Results that could not be recorded (G10). */
  readonly setAside: SetAside | undefined
  /** Whether the batch must not be claimed again by this review: its results cannot be recorded at all. */
  readonly isStuck: boolean
}

/** A result, and the origin whose place it holds until it is recorded. */
interface Ended {
  readonly result: DeliveryResult
  readonly origin: Origin | undefined
}

/** Milliseconds for which results are collected before they are recorded together: a write costs the same for one as for a hundred. */
const GATHERING = 5

/** Results that use this part of the places are recorded without waiting for more, as other batches may need it. */
const MANY = 1 / 2

/**
 * Sends to every recipient of a batch. One loop starts sends as the lanes allow, and checks each group just before (G4). Recipients whose origin has no
 * room wait here, or are left to the store if it is crowded (G15). The other loop records the results that have collected meanwhile, and only then
 * frees their places (G5). Returns the recorded results, and the origins that they have paused. When it ends early, the claim is released. A lost
 * claim ends it and is no error: its new holder sends.
 */
export const sendBatch = async (
  ports: Pick<DeliveryPorts, ServingNeeds> & Pick<CountedGateway, 'notSent'>,
  serving: Serving,
): Promise<E.Either<Unavailable, Served>> => {
  const { batch, claimedAt, lanes, isOver, onStuck } = serving
  const sender = makeSender(ports, batch, serving)
  const recorder = makeResultRecorder(ports, batch, serving.shortened)
  const { write, renewed } = makeLeasedWrites(ports.clock, recorder, claimedAt)
  const queue = makeQueue(batch.recipients, lanes)
  const ended: Array<Ended> = []
  const kept: Array<Settled> = []
  const paused: Array<Pause> = []
  const progress = makeSignal()
  const many = makeSignal()
  let inFlight = 0
  let beginning = true
  let stop: Stop | undefined
  /** Why results can no longer be recorded: the last of them must not close a batch that lacks some. */
  let unkept: Stop | undefined
  /** What a port has thrown, which it must not. */
  let bug: { readonly cause: unknown } | undefined

  const areMany = () => ended.length >= lanes.size * MANY
  const mayBegin = () => queue.size() > 0 && stop === undefined && !isOver()

  const writeOrStop = (
    results: ReadonlyArray<DeliveryResult>,
    last: boolean,
  ): Promise<E.Either<Stop, Recorded>> =>
    write(results, last).catch((cause: unknown) => {
      bug = { cause }
      return E.left(unavailable(cause))
    })

  const end = (...all: ReadonlyArray<Ended>): void => {
    ended.push(...all)
    progress.notify()
    if (areMany()) many.notify()
  }

  const begin = (recipient: Recipient, plan: Parameters<typeof sender.send>[1]): void => {
    inFlight += 1
    const { origin } = plan
    sender.send(recipient, plan).then(
      (result) => {
        inFlight -= 1
        end({ result, origin })
      },
      (cause: unknown) => {
        inFlight -= 1
        bug = { cause }
        lanes.leave(origin)
        progress.notify()
      },
    )
  }

  /** Begins a recipient, or ends it without a push, or lets it wait for its origin. Returns the places that it leaves unused. */
  const beginOne = (recipient: Recipient, eligibility: Eligibility): number => {
    const plan = sender.plan(recipient, eligibility)
    if (plan.kind === 'result') {
      queue.remove(recipient)
      end({ result: plan.result, origin: undefined })
      return 1
    }
    if (!lanes.enter(plan.origin)) {
      queue.wait(recipient, plan.origin)
      return 1
    }
    queue.remove(recipient)
    begin(recipient, plan)
    return 0
  }

  /** Checks a group that has a place for each, and begins it. */
  const beginGroup = async (group: ReadonlyArray<Recipient>): Promise<void> => {
    const fresh = await renewed()
    const checked = E.isLeft(fresh)
      ? fresh
      : await ports.deliveries.checkEligibility(batch.claim, group, ports.clock.now())()
    if (E.isLeft(checked)) stop = checked.left
    if (E.isLeft(checked) || !mayBegin()) return lanes.giveBack(group.length)
    lanes.giveBack(group.reduce((unused, recipient) => unused + beginOne(recipient, checked.right), 0))
  }

  /** Waits until an origin may have room again. */
  const waitForRoom = async (): Promise<void> => {
    const pace = lanes.untilPace()
    // A pace may have gone on since the queue was asked, and then nothing would end the wait.
    if (O.isNone(pace) && queue.next(1).length > 0) return
    onStuck(true)
    await Promise.race([lanes.changed(), ...(O.isSome(pace) ? [ports.timer.wait(pace.value)()] : [])])
    onStuck(false)
    // With pushes under way, recording their results renews it.
    const fresh = inFlight + ended.length > 0 ? E.right(undefined) : await renewed()
    if (E.isLeft(fresh)) stop = fresh.left
  }

  const beginSome = async (): Promise<void> => {
    for (const { deviceId, origin } of queue.crowded())
      end({ result: { deviceId, kind: 'deferred', origin }, origin: undefined })
    const wanted = queue.next(lanes.size).length
    if (wanted === 0) return queue.size() > 0 ? waitForRoom() : undefined
    const places = await lanes.acquire(wanted)
    const group = mayBegin() ? queue.next(places) : []
    lanes.giveBack(places - group.length)
    if (group.length > 0) await beginGroup(group)
  }

  const beginAll = async (): Promise<void> => {
    try {
      while (mayBegin()) await beginSome()
    } catch (cause) {
      bug = { cause }
    } finally {
      queue.leave()
      beginning = false
      progress.notify()
    }
  }

  const noteRecorded = (recorded: E.Either<Stop, Recorded>): void => {
    if (E.isRight(recorded)) {
      kept.push(...recorded.right.results)
      paused.push(...recorded.right.paused)
      return
    }
    stop = unkept = recorded.left
    if (isUnavailable(unkept)) lanes.close()
  }

  const keepEnded = async (): Promise<void> => {
    if (!areMany()) await Promise.race([ports.timer.wait(GATHERING)(), many.wait()])
    const some = ended.splice(0)
    const last = queue.size() === 0 && inFlight === 0 && bug === undefined
    const results = some.map(({ result }) => result)
    noteRecorded(unkept === undefined ? await writeOrStop(results, last) : E.left(unkept))
    for (const { origin } of some) if (origin !== undefined) lanes.leave(origin)
  }

  const all = beginAll()
  while (beginning || inFlight > 0 || ended.length > 0) {
    // Starts nothing new; records the running sends before the bug is rethrown.
    if (bug !== undefined) lanes.close()
    await (ended.length > 0 ? keepEnded() : progress.wait())
  }
  await all
  if (bug !== undefined) throw bug.cause
  if (queue.size() > 0 || stop !== undefined) await ports.deliveries.releaseClaim(batch.claim)()
  return stop !== undefined && isUnavailable(stop)
    ? E.left(stop)
    : E.right({ results: kept, paused, setAside: recorder.setAside(), isStuck: recorder.isStuck() })
}
