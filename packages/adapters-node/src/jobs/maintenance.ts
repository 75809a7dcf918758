import { randomUUID } from 'node:crypto'
import type { Almoner, Ports, Unavailable } from '@almoner/domain'
import {
  type ItemsSetAside,
  makeRunProposals,
  makeRunSchedules,
  nextProposal,
  nextSchedule,
  type ProposalsRun,
  type ProposalsSetAside,
  type ProposedMoment,
  type SchedulesRun,
} from '@almoner/domain/content'
import { imageMeasurer, type RenditionPorts } from '@almoner/domain/media'
import { makePurgeHold } from '@almoner/domain/operations'
import type { Node, StopSignal } from '@almoner/domain/ports'
import { addMillis, MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { leased } from './leased.ts'
import type { DueTimes, Job } from './schedule.ts'

/** Seconds between two heartbeats of a node. */
const EVERY = 60

/** Milliseconds after the last heartbeat after which a node is deleted. */
const FORGOTTEN = 10 * MINUTE

/**
 * Makes the heartbeat of a node: its name, and settings without secrets that all nodes must share, as they are at each beat. The job writes it regularly, `beat` at
 * once; `deregister` deletes the node.
 */
export const makeHeartbeat = (
  { nodes, clock }: Pick<Ports, 'nodes' | 'clock'>,
  node: Pick<Node, 'name' | 'settings'>,
) => {
  const id = randomUUID()
  const beat: TE.TaskEither<Unavailable, void> = () => {
    const lastSeenAt = clock.now()
    return nodes.beat(
      { id, name: node.name, settings: node.settings, lastSeenAt },
      addMillis(lastSeenAt, -FORGOTTEN),
    )()
  }
  const job: Job = { name: 'heartbeat', rule: EVERY, atStart: true, work: () => TE.map(() => 0)(beat) }
  return {
    job,
    beat,
    deregister: nodes.deregister(id),
  }
}

/** The heartbeat of a node. */
export type Heartbeat = ReturnType<typeof makeHeartbeat>

/** A part of the service has not answered in time. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed'
}

/** Milliseconds between two looks at the time that is left. */
const STEP = 100

/**
 * Resolves as a promise does, or rejects after some milliseconds, so that one part that never answers does not stop the rest. Time in which this
 * process is busy, as with a check of a file, does not count.
 */
export const withinLimit = async <A>(work: Promise<A>, milliseconds: number, part: string): Promise<A> => {
  const late = Promise.withResolvers<never>()
  let left = milliseconds
  const timer = setInterval(() => {
    left -= STEP
    if (left <= 0) late.reject(new TimeLimitPassed(`no answer from ${part} within ${milliseconds / 1000} s`))
  }, STEP)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearInterval(timer)
    // A rejection that comes too late is no fault of the process.
    void work.catch(() => {})
  }
}

/** Returns a function that shares one run among all that ask while it lasts, so that a part which never answers is not asked again and again. */
export const sharedRun = <A>(run: () => Promise<A>): (() => Promise<A>) => {
  let running: Promise<A> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Seconds between two looks whether a round of checks of links is due, or was left by a process that has ended. */
const LINKS_EVERY = 60

/** Makes work that does nothing while purges are to wait; for clocks without `elapsed` Node's monotonic one says so (I9). */
const makeUnlessHeld = ({ clock, history }: Pick<Ports, 'clock' | 'history'>) => {
  const isHeld = makePurgeHold({ clock: { elapsed: () => performance.now(), ...clock }, history })
  return <L, A>(work: () => TaskEither<L, A>): TaskEither<L | Unavailable, A | 0> =>
    pipe(
      isHeld,
      TE.flatMap((held): TaskEither<L | Unavailable, A | 0> => (held ? TE.right(0) : work())),
    )
}

/**
 * Returns the job that checks the links of Live items once a day (C17). A run lasts as long as its round; a second process waits. No run begins
 * within an hour after the clock has jumped, because a link is dead by the same answer on two days (I9).
 */
export const linkCheckJob = ({ maintenance, ports }: Pick<Almoner, 'maintenance' | 'ports'>): Job => {
  const unlessHeld = makeUnlessHeld(ports)
  return {
    name: 'check links',
    rule: LINKS_EVERY,
    atStart: false,
    work: (signal) =>
      pipe(
        unlessHeld(() => maintenance.checkLinks({ signal })),
        TE.map((counts) => counts && { ...counts }),
      ),
  }
}

/** Milliseconds between two runs of the jobs of maintenance. */
const HOUR = 60 * MINUTE

/** Repeats a purge until nothing is left. Each one deletes a few thousand rows, so that others need not wait long for the database. */
const purgeAll =
  (purge: TaskEither<Unavailable, number>) =>
  (signal: StopSignal): TaskEither<Unavailable, number> =>
  async () => {
    let total = 0
    while (!signal.aborted) {
      const purged = await purge()
      if (E.isLeft(purged)) return purged
      if (purged.right === 0) break
      total += purged.right
    }
    return E.right(total)
  }

/**
 * Returns the jobs that run every hour. They delete expired tokens (A6), the rows of ended notifications (G3, G8), dead devices that can no
 * longer be restored (G5), audit records (K3), working copies after 90 days (M7), drafts deleted and proposals closed an hour ago (C18, C16), idempotency keys
 * after a day (I4) and unreferenced images (D5, H1). With `images`, one records the sizes of images from before sizes were stored, also at the start (D9). None of them deletes anything within
 * an hour after the clock has jumped (I9).
 */
export const maintenanceJobs = (
  { maintenance, ports }: Pick<Almoner, 'maintenance' | 'ports'>,
  images?: Pick<RenditionPorts, 'imageFiles' | 'imageRenderer'>,
): ReadonlyArray<Job> => {
  const { clock, idempotencyKeys, notifications } = ports
  const unlessHeld = makeUnlessHeld(ports)
  const hourly = (name: string, minute: number, purge: () => TaskEither<Unavailable, number>): Job => {
    const purgeInOne = leased(ports, name, HOUR)(purgeAll(unlessHeld(purge)))
    return {
      name,
      // A cron expression is looked for minute by minute, which takes a tenth of a start.
      rule: { minute },
      atStart: false,
      work: (signal) => unlessHeld(() => purgeInOne(signal)),
    }
  }
  const sweep = leased(ports, 'sweep images', HOUR)((signal) => maintenance.sweepImages({ signal }))
  return [
    hourly('purge tokens', 7, maintenance.purgeTokens),
    hourly('purge sessions', 9, maintenance.purgeSessions),
    hourly('purge working copies', 10, maintenance.purgeCopies),
    hourly('purge deleted drafts', 11, maintenance.purgeDeletedDrafts),
    hourly('purge proposals', 16, maintenance.purgeProposals),
    hourly('purge deliveries', 12, maintenance.purgeDeliveries),
    hourly('purge former preferences', 13, maintenance.purgePreferences),
    hourly('purge ended notifications', 14, maintenance.purgeEndedNotifications),
    hourly('purge notifications', 17, notifications.purge),
    hourly('purge dead devices', 27, maintenance.purgeDeadDevices),
    hourly('purge history', 47, maintenance.purgeHistory),
    hourly('purge idempotency keys', 57, () => idempotencyKeys.purge(clock.now())),
    ...(images === undefined
      ? []
      : [
          {
            ...{ name: 'measure images', rule: { minute: 41 }, atStart: true },
            work: leased(ports, 'measure images', HOUR)(purgeAll(imageMeasurer({ ...ports, ...images })())),
          },
        ]),
    {
      name: 'sweep images',
      rule: { minute: 37 },
      atStart: true,
      work: (signal) =>
        pipe(
          unlessHeld(() => sweep(signal)),
          TE.map((swept) => swept && { uploads: swept.uploads, portfolio: swept.portfolio }),
        ),
    },
  ]
}

/** Where the job of schedules writes its lines. */
export interface SchedulesLog {
  /** Writes a schedule that failed. */
  readonly warn: (fields: object, text: string) => void
  /** Writes an error of the program. */
  readonly error: (fields: object, text: string) => void
}

/**
 * Makes the job that publishes and archives items at the moments of their schedules (C15), and every minute, in case a change was not noticed. Any number
 * of processes may run it.
 * @param onChange calls back when any process may have changed the next moment
 * @param onFailed called for each schedule that failed
 */
export const schedulesJob = (
  ports: Pick<Ports, 'libraryItems' | 'feedItems' | 'clock'>,
  onChange: DueTimes['onChange'],
  logger: SchedulesLog,
  onFailed: () => void,
): Job => {
  const left: ItemsSetAside = new Set()
  const run = makeRunSchedules(ports, left)
  const report = ({ carriedOut, setAside }: SchedulesRun) => {
    const failed = carriedOut.filter(({ missing }) => missing.length > 0)
    for (const { contentType, itemId, part, missing } of failed) {
      onFailed()
      logger.warn({ contentType, item: itemId, moment: part, missing }, 'a schedule failed')
    }
    for (const { contentType, itemId, cause } of setAside)
      logger.error({ contentType, item: itemId, err: cause }, 'a schedule cannot be carried out')
    return {
      changed: carriedOut.length - failed.length,
      failed: failed.length,
      setAside: setAside.length,
    }
  }
  return {
    name: 'schedules',
    rule: EVERY,
    atStart: true,
    dueTimes: {
      next: pipe(
        nextSchedule(ports, left),
        TE.map(O.map(({ itemId, at }) => ({ at, why: `${itemId} ${at}` }))),
      ),
      onChange,
      clock: ports.clock,
    },
    work: (signal) => TE.map(report)(run(signal)),
  }
}

/** Makes the job that publishes proposals at their moments (C16), as {@link schedulesJob} does for items. It holds up no schedule. */
export const proposalsJob = (
  { ports, policy }: Pick<Almoner, 'ports' | 'policy'>,
  onChange: DueTimes['onChange'],
  logger: SchedulesLog,
  onFailed: () => void,
): Job => {
  const left: ProposalsSetAside = new Set()
  const run = makeRunProposals(ports, policy, left)
  const report = ({ carriedOut, setAside }: ProposalsRun) => {
    const failed = carriedOut.filter(({ missing }) => missing.length > 0)
    for (const { proposal, missing } of failed) {
      onFailed()
      const { contentType, itemId: item } = proposal
      logger.warn({ contentType, item, moment: 'proposal', missing }, 'a schedule failed')
    }
    for (const { proposal, cause } of setAside)
      logger.error(
        { contentType: proposal.contentType, item: proposal.itemId, moment: 'proposal', err: cause },
        'a schedule cannot be carried out',
      )
    return {
      changed: carriedOut.length - failed.length,
      failed: failed.length,
      setAside: setAside.length,
    }
  }
  return {
    name: 'proposals',
    rule: EVERY,
    atStart: true,
    dueTimes: {
      next: TE.map(O.map(({ id, at }: ProposedMoment) => ({ at, why: `${id} ${at}` })))(
        nextProposal(ports, left),
      ),
      onChange,
      clock: ports.clock,
    },
    work: (signal) => TE.map(report)(run(signal)),
  }
}
