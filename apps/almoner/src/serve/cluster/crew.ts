import type { Logger } from 'pino'
import { emptyFor, isHopeless, withDeath } from './deaths.ts'
import type { Hand } from './hand.ts'

/** What a crew is made of. */
export interface CrewParts {
  /** How many workers there are to be. */
  readonly size: number
  readonly launch: (number: number) => Hand
  readonly logger: Logger
  /** Milliseconds by a clock that nobody sets. */
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Workers, kept at their number. */
export interface Crew {
  /** Launches all; resolves with whether all take requests, false as soon as one has ended instead. */
  readonly start: () => Promise<boolean>
  /** Lets them begin what they do beside answering. */
  readonly work: () => void
  /** Puts fresh workers in the place of all, one by one, each once it takes requests. Again, if it is asked for meanwhile; not before they work. */
  readonly restart: () => Promise<void>
  /** Has all finish; resolves when the last has ended. */
  readonly stop: () => Promise<void>
  /** Resolves when one place cannot be kept: its workers die again and again. */
  readonly lost: Promise<void>
  /** All that live, those that are leaving too. */
  readonly hands: () => ReadonlyArray<Hand>
}

/** A fresh worker must take requests within this time, in milliseconds. */
const START = 60_000

const READY = 'ready'

/** How long a restart waits for one that hands over before it goes on to the next, in milliseconds. */
const LEAVE = 10_000

/** Keeps a number of workers. None is launched yet. */
export const makeCrew = ({ size, launch, logger, now, wait }: CrewParts): Crew => {
  const numbers = Array.from({ length: size }, (_, n) => n + 1)
  const places = new Map<number, Hand>()
  const deaths = new Map<number, ReadonlyArray<number>>()
  const living = new Set<Hand>()
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  const state = { begun: false, stopping: false, restarting: false, again: false }

  const begin = (hand: Hand): void => {
    logger.info({ worker: hand.number, workerPid: hand.pid }, 'a worker takes requests')
    void hand.line.tell('work', { upkeep: hand.number === 1 })
  }

  const take = (number: number): Hand => {
    const hand = launch(number)
    living.add(hand)
    void hand.ended.then((how) => {
      living.delete(hand)
      if (places.get(number) === hand && !state.stopping) void replace(hand, how)
    })
    return hand
  }

  const occupy = (number: number): Hand => {
    const hand = take(number)
    places.set(number, hand)
    if (state.begun) void hand.ready.then(() => begin(hand))
    return hand
  }

  const replace = async (dead: Hand, how: string): Promise<void> => {
    const { number, pid } = dead
    logger.error({ worker: number, workerPid: pid, by: how }, 'a worker died')
    const moments = withDeath(deaths.get(number) ?? [], now())
    deaths.set(number, moments)
    if (isHopeless(moments)) return lose()
    await wait(emptyFor(moments))
    if (!state.stopping && places.get(number) === dead) occupy(number)
  }

  /** Puts a fresh worker in a place. False when that did not work, or should not go on. */
  const relieve = async (number: number): Promise<boolean> => {
    const fresh = take(number)
    const first = await Promise.race([
      fresh.ready.then(() => READY),
      fresh.ended,
      wait(START).then(() => 'no answer'),
    ])
    if (state.stopping) return false
    if (first !== READY) {
      logger.error({ worker: number, by: first }, 'the restart was given up: a fresh worker did not start')
      fresh.kill()
      return false
    }
    const old = places.get(number)
    places.set(number, fresh)
    begin(fresh)
    if (old === undefined || !living.has(old)) return true
    await Promise.race([old.line.ask('handOver', null), old.ended, wait(LEAVE)])
    return !state.stopping
  }

  const relieveAll = async (): Promise<void> => {
    state.again = false
    logger.info('restarting')
    for (const number of numbers) if (!(await relieve(number))) return
    logger.info('restarted')
  }

  return {
    start: async () => {
      const outcomes = numbers.map(occupy).map(({ ready, ended }) => ({
        ready: ready.then(() => true),
        ended: ended.then(() => false),
      }))
      const all = Promise.all(outcomes.map(({ ready }) => ready)).then(() => true)
      return Promise.race([all, ...outcomes.map(({ ended }) => ended)])
    },
    work: () => {
      state.begun = true
      for (const hand of places.values()) begin(hand)
    },
    restart: async () => {
      state.again = true
      if (state.restarting || !state.begun) return
      state.restarting = true
      while (state.again && !state.stopping) await relieveAll()
      state.restarting = false
    },
    stop: async () => {
      state.stopping = true
      await Promise.all(
        [...living].map((hand) => {
          void hand.line.tell('stop', null)
          return hand.ended
        }),
      )
    },
    lost,
    hands: () => [...living],
  }
}
