import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { createAlmoner } from '@almoner/domain'
import { linkCounter } from '@almoner/domain/content'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { type HttpOptions, type RunningHttp, startHttp } from '../composition/http.ts'
import {
  changesOf,
  type Heartbeat,
  type IdentityWatch,
  type Job,
  linkCheckJob,
  maintenanceJobs,
  makeHeartbeat,
  proposalsJob,
  type Schedule,
  schedule,
  schedulesJob,
  watchIdentity,
} from '../composition/node.ts'
import type { OpenService } from '../composition/server.ts'
import { linkCheckOf, sharedSettings } from '../config/definitions.ts'
import { notAvailable, orFail } from '../failure.ts'
import { jobLog } from '../jobs/jobs.ts'
import { reviewJob } from '../jobs/review.ts'
import { readiness } from './ready.ts'

/** A process that accepts requests. */
export interface Serving {
  readonly http: RunningHttp
  /** Starts the jobs. Any number of processes share the reviews; one does the maintenance, and sends the heartbeat of the node. */
  readonly startJobs: (options: { readonly maintenance: boolean }) => void
  /** Accepts requests for as long as the settings say, then finishes the running ones and closes the service. */
  readonly stop: () => Promise<void>
  /**
   * Stops the jobs and accepts no connections any more, because another process replaces this one. It still has to be stopped. `rested`
   * resolves when no job runs any more, `ended` when the last connection has ended, too.
   */
  readonly drain: () => { readonly rested: Promise<void>; readonly ended: Promise<void> }
}

/** Each process stores the uses that it has noted. */
const storeUsesJob = ({ storeUses }: OpenService): Job => ({
  name: 'store client uses',
  rule: 300,
  atStart: false,
  work: storeUses,
})

const jobsOf = (
  service: OpenService,
  heartbeat: Heartbeat | undefined,
  watch: IdentityWatch,
  logger: Logger,
): ReadonlyArray<Job> => {
  const { settings, ports, policy, database } = service
  const { version } = database
  const almoner = createAlmoner(ports, policy)
  const beat = heartbeat?.beat ?? TE.right(undefined)
  return [
    storeUsesJob(service),
    watch.job,
    schedulesJob(ports, changesOf(version), logger, service.metrics.scheduleFailed),
    proposalsJob(almoner, changesOf(version), logger, service.metrics.scheduleFailed),
    ...(heartbeat === undefined ? [] : [heartbeat.job, ...maintenanceJobs(almoner, service.media)]),
    ...(heartbeat === undefined || linkCheckOf(settings) === 'off' ? [] : [linkCheckJob(almoner)]),
    ...(settings.review ? [reviewJob({ ports, policy, settings, logger, beat, version })] : []),
  ]
}

/** Accepts requests. Rejects, and closes the service, when it cannot listen. */
export const startServing = async (
  service: OpenService,
  logger: Logger,
  readMetrics?: HttpOptions['readMetrics'],
): Promise<Serving> => {
  const { settings, metrics, database, address } = service
  metrics.showSending(service.askSending)
  const countLinks = linkCounter(service.ports)
  metrics.showLinks(() => countLinks()())
  if (database.logBytes !== undefined) metrics.showLog(database.logBytes)
  metrics.showStandbys(() => database.unusedStandbys?.() ?? 0)
  const { storageIdentity, mediaStore } = service.ports
  const { since } = database.migrator
  const trouble = () => database.trouble?.() ?? database.standbyTrouble?.()
  const watch = watchIdentity({ ...database, trouble, storageIdentity, mediaStore, since }, logger)
  const look = () => orFail(watch.look, notAvailable('the database or the image storage'))
  const http = await startHttp(service, { logger, ready: readiness(service, look), readMetrics }).catch(
    async (cause) => {
      await service.close()
      throw cause
    },
  )
  address.listensOn(http.port)
  let jobs: Schedule | undefined
  let heartbeat: Heartbeat | undefined
  let endExchange = async () => {}
  let isResting = false
  let isReplaced = false
  const rest = async () => {
    isResting = true
    await jobs?.stop()
    await heartbeat?.deregister()
  }
  const stopAccepting = async () => {
    if (settings.drain > 0 && !isReplaced) {
      http.shutdown.startDraining()
      await wait(settings.drain * 1000)
    }
    await http.close()
  }
  return {
    http,
    startJobs: ({ maintenance }) => {
      if (isResting || jobs !== undefined) return
      const node = {
        name: `${hostname()}:${http.port}`,
        get settings() {
          return { ...sharedSettings(settings), ...watch.published() }
        },
      }
      if (maintenance) heartbeat = makeHeartbeat(service.ports, node)
      const withNodes = maintenance && settings.database.kind === 'postgres'
      endExchange = service.counts.keepExchanging(withNodes ? service.ports : undefined)
      jobs = schedule(jobsOf(service, heartbeat, watch, logger), jobLog(logger, metrics.job))
    },
    stop: async () => {
      await Promise.all([stopAccepting(), rest()])
      await endExchange()
      await service.storeUses()()
      await service.close()
    },
    drain: () => {
      isReplaced = true
      // The process that replaces this one exchanges for the node.
      const rested = Promise.all([rest(), endExchange()]).then(() => undefined)
      return { rested, ended: Promise.all([http.shutdown.stopAccepting(), rested]).then(() => undefined) }
    },
  }
}
