import { makePurgeTokens, makeSweepOrphans, type Ports, type Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { scheduleJob } from 'node-schedule'
import type { Logger } from 'pino'

/** Work that keeps the stores tidy; nothing depends on when it is done. */
export interface Chore {
  readonly name: string
  /** When it is done, as cron has it. */
  readonly rule: string
  /** Whether it is done at once too. */
  readonly atStart: boolean
  /** Gives how many things were put away. */
  readonly work: () => TaskEither<Unavailable, number>
}

/** Chores under way and to come. */
export interface Schedule {
  /** Starts no chore any more, and resolves when none is being done. */
  readonly stop: () => Promise<void>
}

/** Each purge takes a few thousand tokens, so that nobody waits long for the database: again until there are none. */
const purgeAll =
  (purge: () => TaskEither<Unavailable, number>): (() => TaskEither<Unavailable, number>) =>
  () =>
  async () => {
    for (let total = 0; ; ) {
      const purged = await purge()()
      if (E.isLeft(purged)) return purged
      if (purged.right === 0) return E.right(total)
      total += purged.right
    }
  }

/** What a server does every hour: expired tokens (A6) and files that no item shows (D5) go. */
export const upkeep = (
  ports: Pick<Ports, 'accessTokens' | 'clock' | 'knownImages' | 'mediaStore'>,
): ReadonlyArray<Chore> => [
  { name: 'purge tokens', rule: '7 * * * *', atStart: false, work: purgeAll(makePurgeTokens(ports)) },
  { name: 'sweep orphans', rule: '37 * * * *', atStart: true, work: makeSweepOrphans(ports) },
]

/** Does a chore and logs what came of it. Never rejects: a chore that fails is done again an hour later. */
const doChore = async ({ name, work }: Chore, logger: Logger): Promise<void> => {
  try {
    const done = await work()()
    if (E.isLeft(done)) logger.error({ chore: name, err: done.left.cause }, 'chore failed')
    else logger[done.right > 0 ? 'info' : 'debug']({ chore: name, count: done.right }, 'chore done')
  } catch (err) {
    logger.error({ chore: name, err }, 'chore failed')
  }
}

/** Schedules chores, in the background. No chore overlaps with itself. */
export const schedule = (chores: ReadonlyArray<Chore>, logger: Logger): Schedule => {
  const running = new Map<string, Promise<void>>()
  const start = (chore: Chore) => {
    if (running.has(chore.name)) return
    const done = doChore(chore, logger).finally(() => running.delete(chore.name))
    running.set(chore.name, done)
  }
  const jobs = chores.map((chore) => scheduleJob(chore.rule, () => start(chore)))
  for (const chore of chores.filter(({ atStart }) => atStart)) start(chore)
  return {
    stop: async () => {
      for (const job of jobs) job.cancel()
      await Promise.all(running.values())
    },
  }
}
