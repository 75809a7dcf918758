import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { patternOf } from '../request/state.ts'
import { WHATEVER_THE_LOAD } from './overload.ts'
import { METRICS_PATH } from './paths.ts'

/** The service's figures, in the form that Prometheus reads (I3). Routes are named by their patterns, never by addresses. */
export interface Metrics {
  /** The figures. Those of the process are gathered from the first look at them on: where nobody looks, nobody pays. */
  readonly registry: Registry
  /** Adds an answer that took so many milliseconds. */
  readonly add: (method: string, route: string, status: number, milliseconds: number) => void
  /** Adds every answer of an application. */
  readonly watch: (app: FastifyInstance) => void
}

export const makeMetrics = (): Metrics => {
  const registry = new Registry()
  let looked = false
  const look = (): Registry => {
    if (!looked) collectDefaultMetrics({ register: registry })
    looked = true
    return registry
  }
  const durations = new Histogram({
    name: 'almoner_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Finding the figures of some labels takes longer than adding to them.
  const known = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  const figuresOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`
    const found = known.get(key) ?? durations.labels({ method, route, status })
    known.set(key, found)
    return found
  }
  const add: Metrics['add'] = (method, route, status, milliseconds) =>
    figuresOf(method, route, status).observe(milliseconds / 1000)
  const watch = (app: FastifyInstance) => {
    app.addHook('onResponse', (request, reply, done) => {
      add(request.method, patternOf(request) ?? 'unknown', reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  return {
    get registry() {
      return look()
    },
    add,
    watch,
  }
}

/** Serves the figures: its own, or those that `figures` gathers from several processes. */
export const serveMetrics = (
  app: FastifyInstance,
  metrics: Metrics,
  figures: () => Promise<string> = () => metrics.registry.metrics(),
): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    config: WHATEVER_THE_LOAD,
    handler: async (_, reply) => reply.type(metrics.registry.contentType).send(await figures()),
  })
}
