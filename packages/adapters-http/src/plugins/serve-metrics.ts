import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'
import { METRICS_PATH } from '../paths.ts'
import { UNDER_ANY_LOAD } from './load-shedding.ts'

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
