import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { PushResult } from '../notifications/push.ts'
import type { Clock } from '../values/ports.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import type { Origin } from './origins.ts'

/** Something that one loop waits for and others bring about. */
export const makeSignal = () => {
  /** Made when something waits, because there are several notes for each push. */
  let next: PromiseWithResolvers<void> | undefined
  return {
    wait: (): Promise<void> => {
      next ??= Promise.withResolvers<void>()
      return next.promise
    },
    notify: (): void => {
      next?.resolve()
      next = undefined
    },
  }
}

/**
 * The rate at which an origin is sent to after it has asked us to wait: a little less than it accepted before. Without it, each answer 429 with
 * `Retry-After` would be followed by a burst that earns the next one.
 */
export interface Pace {
  /** Notes a first send after all before it have ended: the time in between says nothing of what the origin accepts. */
  begin(lastAnswer: Instant): void
  /** One push was accepted. */
  accepted(): void
  /** The origin asks us to wait, for this number of milliseconds if it names one. */
  heldBack(after: O.Option<number>): void
  /** Returns how many sends may begin now. */
  tokens(): number
  /** Uses one of them. */
  take(): void
  /** Milliseconds until there is one; none if there is. */
  wait(): O.Option<number>
}

/** Idle for this long, in milliseconds, an origin is counted from zero again. */
const IDLE = 5 * SECOND

/** The wait of an origin that names none, in milliseconds. */
const UNNAMED = SECOND

/** The first pace is this part of what was accepted; each further time that the origin holds us back, it is this part of the last. */
const [FIRST, LOWER] = [0.9, 0.7]

/** After this time without being held back, in milliseconds, the pace grows by this factor. */
const [GROWS_AFTER, GROWTH] = [30 * SECOND, 1.1]

/** Sends a second: slower is no pace, faster needs none. */
const [SLOWEST, FASTEST] = [0.1, 10_000]

/** Sends that may begin at once, in seconds of the pace. */
const BURST = 0.25

/** Creates the pace of an origin that has not held us back yet. */
export const makePace = (clock: Clock): Pace => {
  /** Sends a second; infinite without a pace. */
  let rate = Number.POSITIVE_INFINITY
  let since = clock.now()
  let count = 0
  let quiet = { from: since, length: 0 }
  let filled = 0
  let filledAt = since
  let grownAt = since

  const depth = (): number => Math.max(1, rate * BURST)

  const fill = (): void => {
    const now = clock.now()
    const elapsed = Math.max(0, now - filledAt)
    filledAt = now
    filled = Math.min(depth(), filled + (elapsed / SECOND) * rate)
    if (now - grownAt < GROWS_AFTER) return
    grownAt = now
    rate *= GROWTH
    if (rate > FASTEST) rate = Number.POSITIVE_INFINITY
  }

  return {
    begin(lastAnswer) {
      const now = clock.now()
      const isForgotten = now - lastAnswer >= IDLE
      if (isForgotten) count = 0
      since = isForgotten ? now : addMillis(since, Math.max(0, now - Math.max(lastAnswer, since)))
    },
    accepted() {
      count += 1
    },
    heldBack(after) {
      const now = clock.now()
      // The answers to pushes that were in flight come together.
      if (now >= quiet.from && now - quiet.from < quiet.length) return
      const seconds = Math.max(SECOND, now - since) / SECOND
      // An origin that has accepted nothing says nothing about what it takes.
      if (count > 0)
        rate = Math.max(SLOWEST, Number.isFinite(rate) ? rate * LOWER : (count / seconds) * FIRST)
      quiet = { from: now, length: O.getOrElse(() => UNNAMED)(after) }
      since = addMillis(now, quiet.length)
      grownAt = since
      filledAt = now
      count = 0
      filled = 0
    },
    tokens() {
      if (!Number.isFinite(rate)) return Number.POSITIVE_INFINITY
      fill()
      return Math.floor(filled)
    },
    take() {
      if (Number.isFinite(rate)) filled -= 1
    },
    wait() {
      if (!Number.isFinite(rate)) return O.none
      fill()
      return filled >= 1 ? O.none : O.some(Math.ceil(((1 - filled) / rate) * SECOND))
    },
  }
}

/**
 * The sends that may be without an outcome in the ledger at a time, shared by all batches of a process (G5), and the share of each origin in them
 * (G15). A place is acquired first; it becomes an origin's with `enter`, or is given back.
 */
export interface Lanes {
  /** All places that there are. */
  readonly size: number
  /** Waits for a free place, and acquires up to `most`. Returns their number; 0 once the lanes are closed. */
  acquire(most: number): Promise<number>
  /** Gives acquired places back that no send has taken. */
  giveBack(places: number): void
  /** Takes one acquired place for an origin. Returns false, and takes none, if the origin's share is used up. */
  enter(origin: Origin): boolean
  /** Frees a place of an origin, once the outcome of its send is in the ledger. */
  leave(origin: Origin): void
  /** Notes what came of a send to an origin. */
  note(origin: Origin, result: PushResult): void
  /** Returns how many more sends to an origin may begin now. */
  room(origin: Origin): number
  /** Returns how many more devices of an origin this process takes from the store, to have the next ones at hand. */
  demand(origin: Origin): number
  /** Whether further devices of an origin are left to the store: it gives no answers, or too many wait for it here. */
  isCrowded(origin: Origin): boolean
  /** Counts devices that wait here for an origin; a negative number counts them off. */
  wait(origin: Origin, devices: number): void
  /** Milliseconds until an origin that devices wait for may be sent to by its pace; none if no pace holds them back. */
  untilPace(): O.Option<number>
  /** Resolves at the next change after which there may be more room. */
  changed(): Promise<void>
  /** Closes the lanes: the ledger cannot be written, and the pushes in flight are the maximum that may be repeated. */
  close(): void
  /** Whether {@link close} was called. */
  isClosed(): boolean
}

/** What a process knows of an origin from its own sends. It outlives a review. */
interface OriginConduct {
  /** Whether a push has ended. */
  isTried: boolean
  /** Whether its last word was an accepted push. */
  accepts: boolean
  /** Accepted pushes since it accepts: its share grows with them. */
  credit: number
  /** The last answer, or the first send since nothing was in flight. */
  quietSince: Instant
  readonly pace: Pace
}

/** Memory of the origins of one process. */
export type OriginMemory = Map<Origin, OriginConduct>

/** Origins that a process remembers; more than push services have. */
const MOST_ORIGINS = 1000

/** The part of all places that an origin may have which does not accept (G15). */
const TENTH = 1 / 10

/** Milliseconds without an answer after which an origin does not count as accepting. */
const SILENT = 2 * SECOND

/** Devices of one origin that wait in a process at most, before others are left to the store. */
const CROWD = 2000

interface Lane {
  readonly conduct: OriginConduct
  inFlight: number
  waiting: number
}

/**
 * Creates lanes for this number of pushes in flight. An origin begins with a tenth of the places, and gets one more with each accepted push, up to
 * an even share among the origins that accept and have devices waiting. A tenth is left free for other origins once there are several.
 * @param memory kept from one review of a process to the next
 */
export const makeLanes = (size: number, clock: Clock, memory: OriginMemory = new Map()): Lanes => {
  const tenth = Math.max(1, Math.floor(size * TENTH))
  const lanes = new Map<Origin, Lane>()
  const change = makeSignal()
  let free = size
  let closed = false

  const laneOf = (origin: Origin): Lane => {
    const found = lanes.get(origin)
    if (found !== undefined) return found
    const unknown = {
      ...{ isTried: false, accepts: false, credit: 0 },
      quietSince: clock.now(),
      pace: makePace(clock),
    }
    const lane = { conduct: memory.get(origin) ?? unknown, inFlight: 0, waiting: 0 }
    memory.delete(origin)
    memory.set(origin, lane.conduct)
    const [oldest = origin] = memory.keys()
    if (memory.size > MOST_ORIGINS) memory.delete(oldest)
    lanes.set(origin, lane)
    return lane
  }

  const isQuiet = ({ inFlight, conduct }: Lane, milliseconds: number): boolean =>
    inFlight > 0 && clock.now() - conduct.quietSince > milliseconds

  const accepts = (lane: Lane): boolean => lane.conduct.accepts && !isQuiet(lane, SILENT)

  const doubtful = (): number =>
    [...lanes.values()].reduce((sum, lane) => sum + (accepts(lane) ? 0 : lane.inFlight), 0)

  /** Counts other origins that accept and have devices waiting. Asked for every push, so that it makes no list. */
  const rivalsOf = (lane: Lane): number => {
    let rivals = 0
    for (const one of lanes.values()) if (one !== lane && one.waiting > 0 && accepts(one)) rivals += 1
    return rivals
  }

  const shareOf = (lane: Lane): number => {
    if (!accepts(lane)) {
      // Origins that do not accept have half of the places together, so that the others can go on. Only an answer says which of them an untried
      // one belongs to: its first push has a place beyond the half.
      const isFirst = !lane.conduct.isTried && lane.inFlight === 0
      const left = Math.max(1, isFirst ? size - tenth : Math.floor(size / 2)) - doubtful()
      return Math.min(tenth, lane.inFlight + Math.max(0, left))
    }
    const all = memory.size > 1 ? Math.max(1, size - tenth) : size
    return Math.min(Math.max(1, Math.floor(all / (rivalsOf(lane) + 1))), tenth + lane.conduct.credit)
  }

  const room = (lane: Lane): number =>
    Math.max(0, Math.min(shareOf(lane) - lane.inFlight, lane.conduct.pace.tokens()))

  return {
    size,
    async acquire(most) {
      while (free === 0 && !closed) await change.wait()
      const taken = closed ? 0 : Math.min(free, most)
      free -= taken
      return taken
    },
    giveBack(places) {
      if (places === 0) return
      free += places
      change.notify()
    },
    enter(origin) {
      const lane = laneOf(origin)
      if (room(lane) === 0) return false
      const { conduct } = lane
      if (lane.inFlight === 0) {
        conduct.pace.begin(conduct.quietSince)
        conduct.quietSince = clock.now()
      }
      lane.inFlight += 1
      conduct.pace.take()
      return true
    },
    leave(origin) {
      laneOf(origin).inFlight -= 1
      free += 1
      change.notify()
    },
    note(origin, result) {
      const { conduct } = laneOf(origin)
      const { pace } = conduct
      const isHeldBack = result._tag === 'Retry' && result.because === 'origin'
      const isUnanswered = result._tag === 'Retry' && result.because === 'silence'
      conduct.isTried = true
      if (!isUnanswered) conduct.quietSince = clock.now()
      if (isHeldBack) pace.heldBack(result.after)
      if (isHeldBack || isUnanswered) Object.assign(conduct, { accepts: false, credit: 0 })
      if (result._tag !== 'Delivered') return
      pace.accepted()
      conduct.accepts = true
      conduct.credit = Math.min(size, conduct.credit + 1)
      change.notify()
    },
    room: (origin) => room(laneOf(origin)),
    demand(origin) {
      const lane = laneOf(origin)
      const most = accepts(lane) ? CROWD / 2 : shareOf(lane) - lane.inFlight
      return Math.max(0, most - lane.waiting)
    },
    isCrowded(origin) {
      const lane = laneOf(origin)
      return lane.waiting > CROWD || (!lane.conduct.accepts && isQuiet(lane, SECOND))
    },
    wait(origin, devices) {
      laneOf(origin).waiting += devices
    },
    untilPace() {
      const waits = [...lanes.values()].flatMap(({ waiting, conduct }) =>
        waiting > 0 ? RA.fromOption(conduct.pace.wait()) : [],
      )
      return waits.length === 0 ? O.none : O.some(Math.min(...waits))
    },
    changed: change.wait,
    close() {
      closed = true
      change.notify()
    },
    isClosed: () => closed,
  }
}
