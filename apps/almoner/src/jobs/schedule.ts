import {
  isUnavailable,
  makePurgeDeadDevices,
  makePurgeTokens,
  makeSweepImages,
  type Ports,
  type SweepPorts,
  type SweepStopped,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { sweepStoppedText } from '../commands/sweep-text.ts'
import { watchClock } from './clock-watch.ts'
import { type DueTimes, keepPunctual, type Punctual } from './punctual.ts'
import { type Rule, setAlarm } from './timer.ts'

/** What a chore did: how many things it put away, or several figures, each with its name. */
type Done = number | Readonly<Record<string, number>>

/** Work that a server does by itself, now and then. What is to be done is in the stores: no chore is lost when one is left out. */
export interface Chore {
  readonly name: string
  readonly rule: Rule
  /** Whether it is done at once too. */
  readonly atStart: boolean
  /** When else it is done. */
  readonly dueTimes?: DueTimes
  /** What its log lines say beside what it did. */
  readonly note?: string | undefined
  /** Does it, and ends early when the server is stopping. */
  readonly work: (isStopping: () => boolean) => TaskEither<Unavailable | SweepStopped, Done>
}

/** Hears of a chore that was done, or failed. */
export type HearChore = (chore: string, failed: boolean) => void

/** Chores under way and to come. */
export interface Schedule {
  /** Starts no chore any more, and resolves when none is being done. */
  readonly stop: () => Promise<void>
}

/** Each purge takes a few thousand rows, so that nobody waits long for the database: again until there are none. */
export const purgeAll =
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
 * The jobs that a server runs every hour. They delete expired tokens (A6), the rest of deleted notifications (G3), dead devices that nobody
 * restored (G5), idempotency keys after a day (I4) and unreferenced images (D5, H1).
 */
export const upkeep = (
  ports: Pick<Ports, 'accessTokens' | 'clock' | 'deadDevices' | 'idempotencyKeys' | 'notifications'> &
    SweepPorts,
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
  {
    name: 'sweep images',
    rule: '37 * * * *',
    atStart: true,
    work: (isStopping) =>
      pipe(
        makeSweepImages(ports)({ isStopping }),
        TE.map(({ uploads, portfolio }) => ({ uploads, portfolio })),
      ),
  },
]

/** Does a chore and logs what came of it. Never rejects: a chore that fails is done again when its time comes. */
const doChore = async (
  { name, work, note }: Chore,
  logger: Logger,
  told: HearChore,
  isStopping: () => boolean,
): Promise<void> => {
  try {
    const done = await work(isStopping)()
    told(name, E.isLeft(done))
    if (E.isLeft(done)) {
      const failure = done.left
      if (isUnavailable(failure)) logger.error({ chore: name, err: failure.cause }, 'chore failed')
      else logger.error({ chore: name, reason: failure.refusal }, sweepStoppedText(failure))
      return
    }
    const figures = typeof done.right === 'number' ? { count: done.right } : done.right
    const level = Object.values(figures).some((figure) => figure > 0) ? 'info' : 'debug'
    logger[level]({ chore: name, ...figures, ...(note && { note }) }, 'chore done')
  } catch (err) {
    told(name, true)
    logger.error({ chore: name, err }, 'chore failed')
  }
}

/** Schedules chores, in the background. No chore overlaps with itself. One that has due times is done then too. `told` hears of each that was done or failed. */
export const schedule = (
  chores: ReadonlyArray<Chore>,
  logger: Logger,
  told: HearChore = () => {},
): Schedule => {
  const running = new Map<string, Promise<void>>()
  const punctual = new Map<string, Punctual>()
  let stopping = false
  const start = (chore: Chore): boolean => {
    if (stopping || running.has(chore.name)) return false
    const done = doChore(chore, logger, told, () => stopping).finally(() => {
      running.delete(chore.name)
      punctual.get(chore.name)?.look()
    })
    running.set(chore.name, done)
    return true
  }
  const alarms = chores.map((chore) => setAlarm(chore.rule, () => start(chore)))
  const unwatch = watchClock((step) => {
    logger.warn({ milliseconds: step }, 'the clock was set')
    for (const alarm of alarms) alarm.replan()
    for (const one of punctual.values()) one.look()
  })
  for (const chore of chores.filter(({ atStart }) => atStart)) start(chore)
  for (const chore of chores)
    if (chore.dueTimes !== undefined)
      punctual.set(
        chore.name,
        keepPunctual(chore.dueTimes, () => start(chore)),
      )
  return {
    stop: async () => {
      stopping = true
      unwatch()
      for (const alarm of alarms) alarm.cancel()
      for (const one of punctual.values()) one.cancel()
      await Promise.all(running.values())
    },
  }
}
