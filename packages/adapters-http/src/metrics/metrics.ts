import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { METRICS_PATH } from '../paths.ts'
import { WHATEVER_THE_LOAD } from '../plugins/load-shedding.ts'
import { patternOf } from '../request-context.ts'
import { type Lookups, noLookups } from './cache-lookups.ts'
import { type AddChore, countChores } from './chores.ts'
import { type AddOperation, countOperations } from './database.ts'
import { type AskLogBytes, showLog } from './log.ts'
import { countLookups } from './lookups.ts'
import { countPushes, type PushFigures } from './pushes.ts'
import { type AskSending, showSending } from './queue.ts'
import { type AddAnswer, countRequests } from './requests.ts'
import { countUnroutable } from './unroutable.ts'

/** The service's figures, in the form that Prometheus reads (I3). */
export interface Metrics extends PushFigures {
  /** The figures. Those of the process are gathered from the first look at them on: where nobody looks, nobody pays. */
  readonly registry: Registry
  readonly add: AddAnswer
  /** Adds every answer of an application. */
  readonly watch: (app: FastifyInstance) => void
  /** Counts to be raised by whoever looks for kept answers. */
  readonly lookups: Lookups
  readonly database: AddOperation
  readonly chore: AddChore
  /** Adds a device that was attached and to which nothing can be sent. */
  readonly unroutable: () => void
  /** Shows what waits to be sent, too. */
  readonly showSending: (ask: AskSending) => void
  /** Adds a gauge of the write-ahead log. */
  readonly showLog: (ask: AskLogBytes) => void
}

/** Figures from zero, in a registry of their own: several services of a process do not mix. */
export const makeMetrics = (): Metrics => {
  const registry = new Registry()
  let looked = false
  const look = (): Registry => {
    if (!looked) collectDefaultMetrics({ register: registry })
    looked = true
    return registry
  }
  const add = countRequests(registry)
  const lookups = noLookups()
  countLookups(registry, lookups)
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
    lookups,
    database: countOperations(registry),
    chore: countChores(registry),
    unroutable: countUnroutable(registry),
    ...countPushes(registry),
    showSending: (ask) => showSending(registry, ask),
    showLog: (ask) => showLog(registry, ask),
  }
}

/** Serves the metrics of this process, or those that `readMetrics` aggregates from several. */
export const serveMetrics = (
  app: FastifyInstance,
  metrics: Metrics,
  readMetrics: () => Promise<string> = () => metrics.registry.metrics(),
): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: METRICS_PATH,
    config: WHATEVER_THE_LOAD,
    // One spelling only: whoever closes the path in a reverse proxy must not have to think of `/metrics/` or `/%6Detrics`.
    handler: async ({ raw }, reply) =>
      raw.url?.split('?')[0] === METRICS_PATH
        ? reply.type(metrics.registry.contentType).send(await readMetrics())
        : reply.callNotFound(),
  })
}
