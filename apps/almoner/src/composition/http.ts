import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import {
  aggregateMetrics,
  buildServer,
  cumulativeMetrics,
  type GracefulShutdown,
  type Metrics,
  type MetricsServer,
  type MetricsSource,
  type MetricValues,
  previewTokens,
  type RateLimit,
  type ServerOptions,
  startMetricsServer,
} from '@almoner/adapters-http'
import { type ConsoleAssets, consoleOf } from '@almoner/adapters-http/console'
import { openPortfolioUpload } from '@almoner/adapters-node/files'
import * as O from 'fp-ts/lib/Option.js'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import type { Settings } from '../config/definitions.ts'
import { type CommandFailed, failed, messageOf } from '../failure.ts'
import { httpAccelerators, readingRequests } from './database.ts'
import { makeHost } from './host.ts'
import type { OpenService } from './server.ts'
import { identityProviderOf, passkeysOf, passwordsOf } from './sign-in.ts'

export type { MetricValues }

/** A worker whose metrics can be read. */
export interface MeteredWorker {
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
  readonly remote: { readonly metrics: () => Promise<MetricValues> }
}

/** A worker that does not answer within this time counts with the metrics it reported last; in milliseconds. */
const TIMEOUT = 1000

/** The metrics of all workers as one. */
export interface AggregatedMetrics {
  readonly read: MetricsSource
  /** Records what a worker reported. */
  readonly record: (worker: MeteredWorker, values: MetricValues) => void
  /** Adds what an ended worker had counted to the sum of all ended ones. */
  readonly remove: (worker: MeteredWorker) => void
}

/** Sums the metrics of all workers, ended ones included (I3). Counters lose only what a killed worker counted since the last scrape. */
export const aggregatedMetrics = (workers: () => ReadonlyArray<MeteredWorker>): AggregatedMetrics => {
  const latest = new Map<MeteredWorker, MetricValues>()
  let ended: Promise<MetricValues> = Promise.resolve([])
  const record: AggregatedMetrics['record'] = (worker, values) => {
    if (workers().includes(worker)) latest.set(worker, values)
  }
  const request = async (worker: MeteredWorker): Promise<void> => {
    const answered = worker.remote.metrics().then(
      (values) => record(worker, values),
      () => undefined,
    )
    await Promise.race([answered, worker.ended, wait(TIMEOUT, undefined, { ref: false })])
  }
  return {
    record,
    remove: (worker) => {
      const last = cumulativeMetrics(latest.get(worker) ?? [])
      latest.delete(worker)
      ended = ended.then((sum) => aggregateMetrics([sum, last]).getMetricsAsJSON())
    },
    read: async () => {
      await Promise.all(workers().map(request))
      const [running, sum] = [[...latest.values()], ended]
      return aggregateMetrics([...running, await sum])
    },
  }
}

/** Serves metrics on a port of their own, if the settings say so. Rejects when it cannot listen. */
export const startMetrics = async (
  place: Settings['metrics'],
  read: MetricsSource,
  logger: Pick<Logger, 'error'>,
) => (place.kind === 'apart' ? startMetricsServer(place, read, logger) : undefined)

/** Returns the general limit a minute (A8); undefined if it is off. */
const rateLimitOf = ({ settings: { rateLimit }, counts }: OpenService): RateLimit | undefined =>
  O.isSome(rateLimit) ? { max: rateLimit.value, milliseconds: 60_000, counts: counts.requests } : undefined

/** The built pages beside the bundled server. */
const BUNDLED = join(import.meta.dirname, 'console')

/** Builds the pages when the program runs from its sources; otherwise reads the built ones, from the bundle or the package. */
const loadPages = async (): Promise<ConsoleAssets> => {
  const { buildConsole, readConsole } = await import('@almoner/console')
  if (import.meta.filename.endsWith('.ts')) return buildConsole()
  return existsSync(BUNDLED) ? readConsole(BUNDLED) : readConsole()
}

/** Loads the pages for the first reader, and again after a failure. */
const makeAssets = (): (() => Promise<ConsoleAssets>) => {
  let loading: Promise<ConsoleAssets> | undefined
  return () => {
    loading ??= loadPages().catch((cause) => {
      loading = undefined
      throw cause
    })
    return loading
  }
}

/** Returns the origin that images are redirected to, if there is one: the pages may show them (M6). */
const imageOrigins = ({ settings: { media, mediaServe } }: OpenService): ReadonlyArray<string> => {
  if (media.kind === 'folder' || mediaServe.kind === 'proxy') return []
  if (mediaServe.kind === 'public') return [new URL(mediaServe.url).origin]
  // The region of a signed URL may come from the environment of the AWS client.
  return [media.endpoint ?? 'https://*.amazonaws.com']
}

/** Makes the console as a part of the server (M1); none where the setting is `off`. `readMetrics` reads those of all workers. */
const consoleParts = (
  service: OpenService,
  readMetrics?: () => Promise<string>,
): ReadonlyArray<ReturnType<typeof consoleOf>> =>
  service.settings.console
    ? [
        consoleOf({
          ports: service.ports,
          policy: service.policy,
          openPortfolio: openPortfolioUpload(),
          baseUrl: service.address.baseUrl,
          passkeys: passkeysOf(service),
          identityProvider: identityProviderOf(service.settings, service.address),
          passwords: passwordsOf(service),
          assets: makeAssets(),
          imageOrigins: imageOrigins(service),
          rateLimit: rateLimitOf(service),
          changes: { version: service.database.version },
          host: makeHost(service, readMetrics),
        }),
      ]
    : []

/**
 * Has V8 save memory, for good: what requests that have waited leave is given back soon (docs/adr/0008). The V8 of Node 22 has no mode for it,
 * and looks for old objects more often instead.
 */
const saveMemory = (): void =>
  setFlagsFromString(
    Number.parseInt(process.versions.v8, 10) < 13 ? '--heap-growing-percent=20' : '--memory-saver-mode',
  )

/** The service as it accepts requests. */
export interface RunningHttp {
  readonly port: number
  /** The URL of the metrics, when they have a port of their own. */
  readonly metricsUrl: string | undefined
  readonly metrics: Metrics
  readonly shutdown: GracefulShutdown
  /** Stops accepting requests, and resolves when the running ones have been answered. */
  readonly close: () => Promise<void>
}

/** What the settings and the service do not say about a server. */
export interface HttpOptions {
  readonly logger: Logger
  readonly ready: ServerOptions['ready']
  /** Reads the metrics of all workers; those of this process when absent. */
  readonly readMetrics?: ServerOptions['readMetrics']
}

const optionsOf = (service: OpenService, options: HttpOptions): ServerOptions => {
  const { settings, ports, policy, address, media, metrics, tracing, database } = service
  return {
    ...options,
    parts: consoleParts(service, options.readMetrics),
    ports,
    policy,
    baseUrl: address.baseUrl,
    media: media.source,
    measures: metrics,
    trace: tracing?.watch,
    version: manifest.version,
    extensions: [
      ...readingRequests(database),
      ...httpAccelerators(settings, database),
      ...(O.isSome(settings.previewUrl) ? [previewTokens] : []),
    ],
    rateLimit: rateLimitOf(service),
    maxDelay: settings.maxDelay > 0 ? settings.maxDelay : undefined,
    waits: { ...settings.changesWaits, onMany: saveMemory },
    keepAlive: settings.keepAlive,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : undefined,
    corsOrigins: settings.corsOrigins.length > 0 ? settings.corsOrigins : undefined,
    metrics: settings.metrics.kind === 'on',
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Node's error for a port that another process has. */
const isPortTaken = (cause: unknown): cause is NodeJS.ErrnoException & { readonly port: number } =>
  cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE' && 'port' in cause

/** Makes the error of a server that cannot listen. For a port in use it names the setting that changes it. */
export const cannotListen = ({ metrics }: Pick<Settings, 'metrics'>, cause: unknown): CommandFailed => {
  if (!isPortTaken(cause)) return failed(`the server cannot listen: ${messageOf(cause)}`)
  const isMetrics = metrics.kind === 'apart' && metrics.port === cause.port
  const fix = isMetrics ? 'ALMONER_METRICS to another HOST:PORT' : 'ALMONER_PORT to another port'
  return failed(
    `the server cannot listen: port ${cause.port} is in use (EADDRINUSE). Set ${fix}, or stop the process that holds it.`,
  )
}

/** Builds the server and listens on all ports of the settings, or on none. Rejects when it cannot listen. */
export const startHttp = async (service: OpenService, options: HttpOptions): Promise<RunningHttp> => {
  const { settings } = service
  const { app, metrics, shutdown } = await buildServer(optionsOf(service, options))
  let apart: MetricsServer | undefined
  const close = async () => {
    await app.close()
    apart?.close()
  }
  try {
    apart = await startMetrics(settings.metrics, async () => metrics.registry, options.logger)
    await app.listen({ host: settings.host, port: settings.port })
  } catch (cause) {
    await close()
    throw cannotListen(settings, cause)
  }
  return { port: portOf(app.server), metricsUrl: apart?.url, metrics, shutdown, close }
}
