import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BuiltServer, buildServer, type Metrics, type ServerOptions } from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf } from '../failure.ts'
import type { Settings } from '../settings/definitions.ts'
import { urlOf } from '../settings/network.ts'
import { metricsServer } from './metrics-server.ts'

/** The service as it takes requests. */
export interface RunningHttp {
  readonly port: number
  /** Where the figures are, when they have a port of their own. */
  readonly metricsUrl: O.Option<string>
  /** Stops taking requests and resolves when those that run have been answered. */
  readonly close: () => Promise<void>
}

/** What a server needs that the settings do not say. */
export type HttpParts = Pick<
  ServerOptions,
  'ports' | 'policy' | 'baseUrl' | 'logger' | 'mediaFolder' | 'version' | 'ready'
>

const MINUTE = 60_000

const optionsOf = (settings: Settings, parts: HttpParts): ServerOptions => ({
  ...parts,
  rateLimit: O.toUndefined(O.map((max: number) => ({ max, milliseconds: MINUTE }))(settings.rateLimit)),
  trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : undefined,
  corsOrigins: settings.corsOrigins.length > 0 ? settings.corsOrigins : undefined,
  metrics: settings.metrics.kind === 'on',
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A server of its own for the figures, and where it is. */
interface MetricsApart {
  readonly url: string
  readonly server: Server
}

const startMetrics = async (
  place: Settings['metrics'],
  metrics: Metrics,
): Promise<O.Option<MetricsApart>> => {
  if (place.kind !== 'apart') return O.none
  const server = metricsServer(metrics)
  await once(server.listen({ host: place.host, port: place.port }), 'listening')
  return O.some({ server, url: urlOf({ host: place.host, port: portOf(server) }) })
}

/** Listens with all servers, or with none. */
const listen = async (settings: Settings, { app, metrics }: BuiltServer): Promise<RunningHttp> => {
  const figures = await startMetrics(settings.metrics, metrics)
  const close = async () => {
    await app.close()
    if (O.isSome(figures)) figures.value.server.close()
  }
  try {
    await app.listen({ host: settings.host, port: settings.port })
  } catch (cause) {
    await close()
    throw cause
  }
  return { port: portOf(app.server), metricsUrl: O.map(({ url }: MetricsApart) => url)(figures), close }
}

/** Builds the server and listens where the settings say. Failed when it cannot listen there. */
export const startHttp =
  (settings: Settings, parts: HttpParts): TE.TaskEither<Failure, RunningHttp> =>
  async () => {
    const built = await buildServer(optionsOf(settings, parts))
    return TE.tryCatch(
      () => listen(settings, built),
      (cause) => failed(`the server cannot listen: ${messageOf(cause)}`),
    )()
  }
