import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import type { Failure } from '../cli/failure.ts'
import { httpAccelerators } from '../composition/accelerators.ts'
import { type HttpParts, type RunningHttp, startHttp } from '../composition/http.ts'
import type { Service } from '../composition/service.ts'
import { type NodeSign, nodeSign } from '../jobs/node.ts'
import { retentionChores } from '../jobs/retention.ts'
import { reviewChore } from '../jobs/review.ts'
import { type Chore, type Schedule, schedule, upkeep } from '../jobs/schedule.ts'
import { readiness } from './ready.ts'
import { askSending } from './sending.ts'

/** How far a draining process has come. */
export interface Draining {
  /** Resolves when no job runs any more. */
  readonly rested: Promise<void>
  /** Resolves when the last connection has ended, too. */
  readonly ended: Promise<void>
}

/** A process that takes requests. */
export interface Serving {
  readonly http: RunningHttp
  /** Starts the jobs. Any number of processes share the reviews; one does the maintenance, and sends the heartbeat of the node. */
  readonly startJobs: (options: { readonly maintenance: boolean }) => void
  /** Goes for good: as long as the settings say still taking requests, then only finishing those that run. */
  readonly stop: () => Promise<void>
  /** Stops the jobs and accepts no connections any more, because another process replaces this one. It still has to be stopped. */
  readonly drain: () => Draining
}

const choresOf = (
  { settings, ports, policy, database }: Service,
  sign: NodeSign | undefined,
  logger: Logger,
) => {
  const ofNode: ReadonlyArray<Chore> =
    sign === undefined ? [] : [sign.chore, ...upkeep(ports), ...retentionChores(ports, policy)]
  if (!settings.review) return ofNode
  const beat = sign?.tell ?? TE.right(undefined)
  const { version } = database
  return [...ofNode, reviewChore({ ports, policy, settings, logger, beat, version })]
}

const servingOn = (service: Service, http: RunningHttp, logger: Logger): Serving => {
  const { settings } = service
  let chores: Schedule | undefined
  let sign: NodeSign | undefined
  let resting = false
  let replaced = false
  const rest = async () => {
    resting = true
    await chores?.stop()
    await sign?.leave()
  }
  const leave = async () => {
    if (settings.drain > 0 && !replaced) {
      http.shutdown.startDraining()
      await wait(settings.drain * 1000)
    }
    await http.close()
  }
  return {
    http,
    startJobs: ({ maintenance }) => {
      if (resting || chores !== undefined) return
      if (maintenance) sign = nodeSign(service.ports, settings, http.port)
      chores = schedule(choresOf(service, sign, logger), logger, service.metrics.chore)
    },
    stop: async () => {
      await Promise.all([leave(), rest()])
      await service.close()
    },
    drain: () => {
      replaced = true
      const rested = rest()
      return { rested, ended: Promise.all([http.shutdown.stopAccepting(), rested]).then(() => undefined) }
    },
  }
}

/** Takes requests. Failed when it cannot listen. */
export const startServing = (
  service: Service,
  logger: Logger,
  readMetrics?: HttpParts['readMetrics'],
): TE.TaskEither<Failure, Serving> => {
  const { settings, ports, policy, address, database, media, metrics, tracing } = service
  const parts = { ports, policy, logger, baseUrl: address.baseUrl, media: media.source }
  const ask = askSending(ports)
  metrics.showSending(ask)
  if (database.logBytes !== undefined) metrics.showLog(database.logBytes)
  const ready = readiness(database, media, { ask, reviewEvery: settings.reviewEvery })
  return pipe(
    startHttp(settings, {
      ...parts,
      readMetrics,
      ready,
      extensions: httpAccelerators(settings, database),
      measures: metrics,
      trace: tracing?.watch,
      version: manifest.version,
    }),
    TE.map((http) => {
      address.listensOn(http.port)
      return servingOn(service, http, logger)
    }),
  )
}
