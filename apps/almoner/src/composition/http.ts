import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  buildServer,
  type GracefulShutdown,
  type Metrics,
  type MetricsServer,
  type ServerOptions,
} from '@almoner/adapters-http'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import type { Settings } from '../config/definitions.ts'
import { type CommandFailed, failed, messageOf } from '../failure.ts'
import { httpAccelerators } from './accelerators.ts'
import { startMetrics } from './aggregated-metrics.ts'
import { consoleParts } from './console.ts'
import { rateLimitOf } from './rate-limit.ts'
import type { OpenService } from './server.ts'

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
    extensions: httpAccelerators(settings, database),
    rateLimit: rateLimitOf(settings),
    maxDelay: settings.maxDelay > 0 ? settings.maxDelay : undefined,
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
