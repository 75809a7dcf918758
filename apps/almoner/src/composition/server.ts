import {
  type AddOperation,
  type AskSending,
  type Metrics,
  makeMetrics,
  makeProbes,
  type PushMetrics,
  type ServerOptions,
} from '@almoner/adapters-http'
import { openLinkChecker } from '@almoner/adapters-push/links'
import type { Policy, Ports } from '@almoner/domain'
import { type RecordedUses, recordClientUses } from '@almoner/domain/access'
import { type DeliveryResult, providerOf, type Settled } from '@almoner/domain/delivery'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { linkCheckOf, SETTINGS, type Settings } from '../config/definitions.ts'
import { orFail } from '../failure.ts'
import { databaseFailure, LOG_LIMIT, type OpenDatabase, type ServedDatabase } from './database.ts'
import { composePorts, type Media, openIdTokens } from './media.ts'
import { type NodeCounts, type NodeLink, shareCounts } from './node.ts'
import { makeService, type Service, type ServiceAddress } from './service.ts'

/** Traces of requests, and of the database operations for them. */
export interface Tracing {
  /** Traces the requests of an application. Comes before all other plugins. */
  readonly watch: NonNullable<ServerOptions['trace']>
  /** Adds a database operation to the trace of its request. */
  readonly database: AddOperation
  /** Sends the remaining spans, within two seconds. */
  readonly close: () => Promise<void>
}

type Sending = Pick<Ports, 'pushGateway' | 'deliveries'>

/** Returns the providers of the devices that were recorded as dead, which detached them. */
const detachedAmong = (results: ReadonlyArray<DeliveryResult>, settled: ReadonlyArray<Settled>) => {
  const isDead = new Set(
    settled.flatMap((one) => (one.kind === 'ended' && one.outcome === 'dead' ? [one.deviceId] : [])),
  )
  return results.flatMap((result) =>
    result.kind === 'unregistered' && isDead.has(result.deviceId) ? [providerOf(result.origin)] : [],
  )
}

/** Adds every push and every detached token to the metrics. */
export const instrumentedSending = (
  { pushGateway, deliveries }: Sending,
  { push: onPush, detached }: PushMetrics,
): Sending => ({
  pushGateway: {
    ...pushGateway,
    send: (push) => async () => {
      const begun = performance.now()
      const result = await pushGateway.send(push)()
      onPush(push.destination.provider, result, performance.now() - begun)
      return result
    },
  },
  deliveries: {
    ...deliveries,
    record: (claim, results, at) =>
      pipe(
        deliveries.record(claim, results, at),
        TE.tapIO((recorded) => () => detachedAmong(results, recorded.results).forEach(detached)),
      ),
  },
})

/** A service whose parts are all open, with the current schema. */
export interface OpenService {
  readonly settings: Settings
  readonly policy: Policy
  readonly address: ServiceAddress
  readonly database: OpenDatabase
  readonly media: Media
  readonly ports: Ports
  readonly metrics: Metrics
  readonly counts: NodeCounts
  /** Returns what waits to be sent, and the states of the providers; undefined while the database does not answer. */
  readonly askSending: AskSending
  readonly tracing: Tracing | undefined
  /** Stores the last uses of clients, which requests only note in memory. */
  readonly storeUses: RecordedUses['storeUses']
  /** Opens parts that the server does without. */
  readonly opener: Service
  readonly close: () => Promise<void>
}

/** What a process may share with its service. */
export interface Shared {
  /** Connects it with the other workers of its primary. */
  readonly link?: NodeLink | undefined
  readonly tracing?: Tracing | undefined
}

const askSending =
  ({ deliveries, providers, clock }: Pick<Ports, 'deliveries' | 'providers' | 'clock'>): AskSending =>
  async () => {
    const now = clock.now()
    const [queue, states] = await Promise.all([deliveries.queue(now)(), providers.states(now)()])
    return E.isRight(queue) && E.isRight(states)
      ? { now, queue: queue.right, providers: states.right }
      : undefined
  }

/** Reports in log and metrics which readers keep SQLite's write-ahead log growing, and which collections were ended for it. */
const logLimit = (
  logger: Logger,
  { collectionEnded, logHeld }: Pick<Metrics, 'collectionEnded' | 'logHeld'>,
): ServedDatabase['logLimit'] => ({
  bytes: LOG_LIMIT,
  onEnded: (logBytes) => {
    collectionEnded()
    logger.warn({ logBytes }, 'the collection that was being sent for longest was ended: the log grew')
  },
  onHeld: (holders, logBytes) => {
    logHeld(holders, logBytes)
    if (logBytes === 0) logger.info('no other process keeps the write-ahead log growing any more')
    else logger.warn({ logBytes, holders }, 'another process reads from an old state: the log grows')
  },
})

/** Migrates. While that takes its time, or another process does it, the health checks of hosts are answered on a port that they know. */
const migrate = async ({ migrator }: OpenDatabase, settings: Settings, logger: Logger): Promise<void> => {
  const probes = makeProbes(settings)
  const say = (fields: object, message: string) => {
    logger.info(fields, message)
    if (settings.port !== 0) probes.answer()
  }
  const { isEmpty } = await orFail(migrator.plan(), databaseFailure)
  const run = migrator.migrate(
    (migration) => !isEmpty && say({ migration }, 'migrating the database'),
    () => say({}, 'waiting for another process to migrate the database'),
  )
  await orFail(run, databaseFailure).finally(probes.close)
}

/** Opens all that a server needs, and migrates. The gateway comes first: wrong credentials leave the database untouched. */
export const openService = async (
  settings: Settings,
  logger: Logger,
  { link, tracing }: Shared = {},
): Promise<OpenService> => {
  const metrics = makeMetrics()
  const onOperation: AddOperation = (...operation) => {
    metrics.database(...operation)
    tracing?.database(...operation)
  }
  const service = makeService(settings, () => logger, {
    onOperation,
    logLimit: logLimit(logger, metrics),
    onFilesGone: (fault) => logger.error({ setting: SETTINGS.database.name }, fault),
  })
  const { policy, address } = service
  try {
    const pushGateway = await service.pushGateway()
    const database = await service.database()
    await migrate(database, settings, logger)
    const media = await service.media()
    const { mediaAddresses } = address
    const linkChecker = openLinkChecker({
      service: address.baseUrl,
      proxy: linkCheckOf(settings) === 'proxy' ? settings.proxy : undefined,
    })
    const idTokens = await openIdTokens(policy, database.clock, settings.proxy)
    const counts = shareCounts(database.clock, O.toUndefined(settings.rateLimit), link)
    const { failedAttempts } = counts
    const parts = { database, media, pushGateway, linkChecker, mediaAddresses, failedAttempts, idTokens }
    const plain = composePorts(parts)
    const { accessTokens, storeUses } = recordClientUses(plain)
    const ports: Ports = { ...plain, ...instrumentedSending(plain, metrics), accessTokens }
    const close = async () => {
      await service.close()
      await tracing?.close()
    }
    return {
      settings,
      policy,
      address,
      database,
      media,
      ports,
      counts,
      metrics,
      askSending: askSending(ports),
      tracing,
      storeUses,
      opener: service,
      close,
    }
  } catch (cause) {
    await service.close()
    throw cause
  }
}
