import type { Device } from '@almoner/domain/people'
import type { FastifyInstance } from 'fastify'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Extension } from '../extension.ts'
import { UNDER_ANY_LOAD } from '../lifecycle/health.ts'
import type { Metrics } from '../metrics/responses.ts'
import { METRICS_PATH } from '../settings.ts'

/** Serves the metrics of this process, or the aggregate of several by `readMetrics`. */
export const serveMetrics = (
  app: FastifyInstance,
  metrics: Metrics,
  readMetrics: () => Promise<string> = () => metrics.registry.metrics(),
): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    config: UNDER_ANY_LOAD,
    // One spelling only: a reverse proxy that blocks the path need not know `/metrics/` or `/%6Detrics`.
    handler: async ({ raw }, reply) =>
      raw.url?.split('?')[0] === METRICS_PATH
        ? reply.type(metrics.registry.contentType).send(await readMetrics())
        : reply.callNotFound(),
  })
}

/** Logs and counts attached devices of unknown kind, to which nothing can be sent (F5). The token is a secret and is not logged. */
export const reportUnroutableDevices: Extension = (_app, services, server) => {
  const { devices } = services
  const report = ({ kind }: Device, client: string): void => {
    if (kind !== 'unroutable') return
    server?.metrics.unroutable()
    server?.logger.warn(
      { client },
      'a device token of unknown kind was attached: nothing can be sent to it (see ALMONER_PUSH_DEFAULT)',
    )
  }
  const attach: typeof devices.attach = (caller, command, receipt) =>
    TE.map((device: Device) => {
      report(device, caller.clientId)
      return device
    })(devices.attach(caller, command, receipt))
  return { ...services, devices: { ...devices, attach } }
}
