import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type BuiltServer,
  buildServer,
  type GracefulShutdown,
  type Metrics,
  type ServerOptions,
} from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf } from '../cli/failure.ts'
import type { Settings } from '../config/definitions.ts'
import { type MetricsApart, startMetrics } from './metrics-server.ts'

/** The service as it takes requests. */
export interface RunningHttp {
  readonly port: number
  /** Where the metrics are, when they have a port of their own. */
  readonly metricsUrl: O.Option<string>
  readonly metrics: Metrics
  readonly shutdown: GracefulShutdown
  /** Stops taking requests and resolves when those that run have been answered. */
  readonly close: () => Promise<void>
}

/** What a server needs that the settings do not say. */
export type HttpParts = Pick<
  ServerOptions,
  | 'ports'
  | 'policy'
  | 'baseUrl'
  | 'logger'
  | 'media'
  | 'version'
  | 'ready'
  | 'readMetrics'
  | 'measures'
  | 'trace'
  | 'extensions'
>

const MINUTE = 60_000

const optionsOf = (settings: Settings, parts: HttpParts): ServerOptions => ({
  ...parts,
  rateLimit: O.toUndefined(O.map((max: number) => ({ max, milliseconds: MINUTE }))(settings.rateLimit)),
  maxDelay: settings.maxDelay > 0 ? settings.maxDelay : undefined,
  trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : undefined,
  corsOrigins: settings.corsOrigins.length > 0 ? settings.corsOrigins : undefined,
  metrics: settings.metrics.kind === 'on',
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Listens with all servers, or with none. */
const listen = async (
  settings: Settings,
  { app, metrics, shutdown }: BuiltServer,
  logger: HttpParts['logger'],
): Promise<RunningHttp> => {
  const apart = await startMetrics(settings.metrics, async () => metrics.registry, logger)
  const close = async () => {
    await app.close()
    if (O.isSome(apart)) apart.value.close()
  }
  try {
    await app.listen({ host: settings.host, port: settings.port })
  } catch (cause) {
    await close()
    throw cause
  }
  const metricsUrl = O.map(({ url }: MetricsApart) => url)(apart)
  return { port: portOf(app.server), metricsUrl, metrics, shutdown, close }
}

/** Node's words for a port that another process has. */
const isPortTaken = (cause: unknown): cause is NodeJS.ErrnoException & { readonly port: number } =>
  cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE' && 'port' in cause

/** Names the failure to listen; of a port that is taken, with the setting that moves it. */
export const cannotListen =
  ({ metrics }: Pick<Settings, 'metrics'>) =>
  (cause: unknown): Failure => {
    if (!isPortTaken(cause)) return failed(`the server cannot listen: ${messageOf(cause)}`)
    const isMetrics = metrics.kind === 'apart' && metrics.port === cause.port
    const fix = isMetrics ? 'ALMONER_METRICS to another HOST:PORT' : 'ALMONER_PORT to another port'
    return failed(
      `the server cannot listen: port ${cause.port} is in use (EADDRINUSE). Set ${fix}, or stop the process that holds it.`,
    )
  }

/** Builds the server and listens where the settings say. Failed when it cannot listen there. */
export const startHttp =
  (settings: Settings, parts: HttpParts): TE.TaskEither<Failure, RunningHttp> =>
  async () => {
    const built = await buildServer(optionsOf(settings, parts))
    return TE.tryCatch(() => listen(settings, built, parts.logger), cannotListen(settings))()
  }
