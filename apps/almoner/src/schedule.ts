import {
  makePurgeDeadDevices,
  makePurgeTokens,
  makeSweepOrphans,
  makeSweepPortfolioImages,
  type Ports,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { type Rule, setAlarm } from './schedule/alarm.ts'
import { watchClock } from './schedule/clock-watch.ts'

/** What a chore did: how many things it put away, or several figures, each with its name. */
type Done = number | Readonly<Record<string, number>>

/** Work that a server does by itself, now and then. What is to be done is in the stores: no chore is lost when one is left out. */
export interface Chore {
  readonly name: string
  readonly rule: Rule
  /** Whether it is done at once too. */
  readonly atStart: boolean
  /** Does it, and ends early when the server is stopping. */
  readonly work: (isStopping: () => boolean) => TaskEither<Unavailable, Done>
}

/** Hears of a chore that was done, or failed. */
export type HearChore = (chore: string, failed: boolean) => void

/** Chores under way and to come. */
export interface Schedule {
  /** Starts no chore any more, and resolves when none is being done. */
  readonly stop: () => Promise<void>
}

/** Each purge takes a few thousand rows, so that nobody waits long for the database: again until there are none. */
const purgeAll =
  (purge: () => TaskEither<Unavailable, number>): Chore['work'] =>
  (isStopping) =>
  async () => {
    let total = 0
    while (!isStopping()) {
      const purged = await purge()()
      if (E.isLeft(purged)) return purged
      if (purged.right === 0) break
      total += purged.right
    }
    return E.right(total)
  }

/**
 * What a server does every hour: expired tokens (A6), the rest of deleted notifications (G3), dead devices that
 * nobody has restored (G5), idempotency keys after a day (I4), files that no item shows (D5) and
 * images that the portfolio does not show (H1) go.
 */
export const upkeep = (
  ports: Pick<
    Ports,
    | 'accessTokens'
    | 'clock'
    | 'deadDevices'
    | 'idempotencyKeys'
    | 'knownImages'
    | 'mediaStore'
    | 'notifications'
    | 'portfolio'
    | 'portfolioImages'
  >,
): ReadonlyArray<Chore> => [
  { name: 'purge tokens', rule: '7 * * * *', atStart: false, work: purgeAll(makePurgeTokens(ports)) },
  {
    name: 'purge notifications',
    rule: '17 * * * *',
    atStart: false,
    work: purgeAll(() => ports.notifications.purge()),
  },
  {
    name: 'purge dead devices',
    rule: '27 * * * *',
    atStart: false,
    work: purgeAll(makePurgeDeadDevices(ports)),
  },
  {
    name: 'purge idempotency keys',
    rule: '57 * * * *',
    atStart: false,
    work: purgeAll(() => ports.idempotencyKeys.purge(ports.clock.now())),
  },
  { name: 'sweep orphans', rule: '37 * * * *', atStart: true, work: makeSweepOrphans(ports) },
  {
    name: 'sweep portfolio images',
    rule: '47 * * * *',
    atStart: true,
    work: makeSweepPortfolioImages(ports),
  },
]

/** Does a chore and logs what came of it. Never rejects: a chore that fails is done again when its time comes. */
const doChore = async (
  { name, work }: Chore,
  logger: Logger,
  told: HearChore,
  isStopping: () => boolean,
): Promise<void> => {
  try {
    const done = await work(isStopping)()
    told(name, E.isLeft(done))
    if (E.isLeft(done)) {
      logger.error({ chore: name, err: done.left.cause }, 'chore failed')
      return
    }
    const figures = typeof done.right === 'number' ? { count: done.right } : done.right
    const level = Object.values(figures).some((figure) => figure > 0) ? 'info' : 'debug'
    logger[level]({ chore: name, ...figures }, 'chore done')
  } catch (err) {
    told(name, true)
    logger.error({ chore: name, err }, 'chore failed')
  }
}

/** Schedules chores, in the background. No chore overlaps with itself. `told` hears of each that was done or failed. */
export const schedule = (
  chores: ReadonlyArray<Chore>,
  logger: Logger,
  told: HearChore = () => {},
): Schedule => {
  const running = new Map<string, Promise<void>>()
  let stopping = false
  const start = (chore: Chore) => {
    if (stopping || running.has(chore.name)) return
    const done = doChore(chore, logger, told, () => stopping).finally(() => running.delete(chore.name))
    running.set(chore.name, done)
  }
  const alarms = chores.map((chore) => setAlarm(chore.rule, () => start(chore)))
  const unwatch = watchClock((step) => {
    logger.warn({ milliseconds: step }, 'the clock was set')
    for (const alarm of alarms) alarm.replan()
  })
  for (const chore of chores.filter(({ atStart }) => atStart)) start(chore)
  return {
    stop: async () => {
      stopping = true
      unwatch()
      for (const alarm of alarms) alarm.cancel()
      await Promise.all(running.values())
    },
  }
}
