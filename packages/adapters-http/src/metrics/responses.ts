import {
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricValueWithName,
  Registry,
} from '@prometheus-io/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type IsIdle, TIMED_OUT } from '../lifecycle/connections.ts'
import { loggedError } from '../logged-error.ts'
import { valuesOf } from '../request/parameters.ts'
import { contextOf, patternOf } from '../request-context.ts'
import {
  type AddJob,
  type AskLinks,
  type AskLogBytes,
  type AskSending,
  countFaults,
  countJobs,
  countLogReaders,
  countPushes,
  type FaultMetrics,
  type LogMetrics,
  type PushMetrics,
  showLinks,
  showLog,
  showSending,
  showStandbys,
  showWaiting,
} from './database.ts'

/**
 * Returns the sum of all series of a metric in Prometheus's text format; undefined if there is none.
 * @param name as in the text: that of a histogram's count ends with `_count`
 */
export const totalIn = (text: string, name: string): number | undefined => {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** Adds a duration in milliseconds to one series of a histogram. */
type AddDuration = (milliseconds: number) => void

interface DurationOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: ReadonlyArray<Label>
  /** Upper bounds in seconds. */
  readonly buckets: ReadonlyArray<number>
}

/**
 * Makes a histogram of durations. Returns the function that makes a series. The library's own histogram looks a series up by its labels for each
 * value, which takes a twentieth of a cached response.
 */
export const countDurations = <Label extends string>(
  registry: Registry,
  { name, help, labelNames, buckets }: DurationOptions<Label>,
): ((labels: Readonly<Record<Label, string | number>>) => AddDuration) => {
  const all: Array<() => ReadonlyArray<MetricValueWithName<Label | 'le'>>> = []
  const read = async () => ({
    ...{ name, help, type: 'histogram' as const, aggregator: 'sum' as const },
    values: all.flatMap((values) => values()),
  })
  const histogram = new Histogram({ name, help, labelNames, registers: [] })
  registry.registerMetric(Object.assign(histogram, { get: read, getForPromString: read }))
  return (labels) => {
    const counts = buckets.map(() => 0)
    let [sum, count] = [0, 0]
    all.push(() => {
      const upTo = (at: number) => counts.slice(0, at + 1).reduce((below, own) => below + own, 0)
      const bucket = (le: number | string, value: number) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value,
      })
      return [
        ...buckets.map((le, at) => bucket(le, upTo(at))),
        bucket('+Inf', count),
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
    return (milliseconds) => {
      const seconds = milliseconds / 1000
      let at = 0
      while (at < buckets.length && seconds > (buckets[at] ?? 0)) at += 1
      if (at < buckets.length) counts[at] = (counts[at] ?? 0) + 1
      sum += seconds
      count += 1
    }
  }
}

/** Adds a response that took some milliseconds. */
type AddResponse = (method: string, route: string, status: number, milliseconds: number) => void

/** Returns the value of a key, which is made if it is not there. */
const getOrMake = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** Makes the histogram of response times. Routes are named by their patterns, never by URLs. */
const countRequests = (registry: Registry): AddResponse => {
  const durations = countDurations(registry, {
    name: 'almoner_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  })
  // Hashing a text that names all three would take longer than adding.
  const known = new Map<string, Map<string, Map<number, AddDuration>>>()
  const seriesOf = (method: string, route: string, status: number): AddDuration => {
    const ofMethod = getOrMake(known, method, () => new Map<string, Map<number, AddDuration>>())
    const ofRoute = getOrMake(ofMethod, route, () => new Map<number, AddDuration>())
    return getOrMake(ofRoute, status, () => durations({ method, route, status }))
  }
  return (method, route, status, milliseconds) => seriesOf(method, route, status)(milliseconds)
}

/** Adds every response of an application, without the time for which its client asked it to wait. */
export const watchResponses = (app: FastifyInstance, add: AddResponse): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { waited = 0 } = contextOf(request)
    add(request.method, patternOf(request) ?? 'unknown', reply.statusCode, reply.elapsedTime - waited)
    done()
  })
}

/** Kinds of database operations: reads, transactions, walks through a snapshot, and what of these a standby was asked (I8). */
export type DatabaseOperation = 'read' | 'write' | 'snapshot' | 'standby'

/** Adds an operation with its duration in milliseconds, including the wait. */
export type AddOperation = (operation: DatabaseOperation, milliseconds: number, failed: boolean) => void

/** How long the database takes, and how often it fails. */
export const countOperations = (registry: Registry): AddOperation => {
  const labelNames = ['operation'] as const
  const durations = countDurations(registry, {
    name: 'almoner_database_duration_seconds',
    help: 'Time that an operation of the database takes, waiting for its turn included.',
    labelNames,
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  })
  const failures = new Counter({
    name: 'almoner_database_failures_total',
    help: 'Operations of the database that failed.',
    labelNames,
    registers: [registry],
  })
  const timeOf = {
    read: durations({ operation: 'read' }),
    write: durations({ operation: 'write' }),
    snapshot: durations({ operation: 'snapshot' }),
    standby: durations({ operation: 'standby' }),
  }
  for (const operation of Object.keys(timeOf)) failures.inc({ operation }, 0)
  return (operation, milliseconds, failed) => {
    timeOf[operation](milliseconds)
    if (failed) failures.inc({ operation })
  }
}

/** Counts lookups in the response cache by result. */
interface CacheLookups {
  /** Found before Fastify saw the request. */
  raw_hit: number
  /** Found for a caller of the same kind. */
  hit: number
  /** Not found. */
  miss: number
}

export const noLookups = (): CacheLookups => ({ raw_hit: 0, hit: 0, miss: 0 })

/** The service's metrics, in the form that Prometheus reads (I3). */
export interface Metrics extends FaultMetrics, LogMetrics, PushMetrics {
  /** The metrics. Those of the process are collected from the first access on. */
  readonly registry: Registry
  readonly add: AddResponse
  /** Counts for the response cache to raise. */
  readonly lookups: CacheLookups
  readonly database: AddOperation
  readonly job: AddJob
  /** Adds gauges of what waits to be sent. */
  readonly showSending: (ask: AskSending) => void
  /** Adds a gauge of links by the verdict of the checks (C17). */
  readonly showLinks: (ask: AskLinks) => void
  /** Adds a gauge of the write-ahead log. */
  readonly showLog: (ask: AskLogBytes) => void
  /** Adds a gauge of the standbys that answer no reads (I8). */
  readonly showStandbys: (count: () => number) => void
  /** Adds a gauge of the requests that wait for changes (N4). */
  readonly showWaiting: (count: () => number) => void
}

/** Shows how often the response cache had a response. The counts are read by each scrape, so that counting is a single addition. */
const showLookups = (registry: Registry): CacheLookups => {
  const lookups = noLookups()
  new Counter({
    name: 'almoner_cache_lookups_total',
    help: 'Answers looked for among those kept: found in front of the routes, found for another caller, or made.',
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(lookups)) this.inc({ result }, count)
    },
  })
  return lookups
}

/** Makes metrics in a registry of their own, so that several services of a process do not mix. */
export const makeMetrics = (): Metrics => {
  const registry = new Registry()
  let isCollecting = false
  return {
    get registry() {
      if (isCollecting) return registry
      isCollecting = true
      collectDefaultMetrics({ register: registry })
      // The histogram says the same, and those of several processes can be added up.
      registry.removeSingleMetric('nodejs_eventloop_utilization_summary')
      return registry
    },
    add: countRequests(registry),
    lookups: showLookups(registry),
    database: countOperations(registry),
    job: countJobs(registry),
    ...countFaults(registry),
    ...countPushes(registry),
    ...countLogReaders(registry),
    showSending: (ask) => showSending(registry, ask),
    showLinks: (ask) => showLinks(registry, ask),
    showLog: (ask) => showLog(registry, ask),
    showStandbys: (count) => showStandbys(registry, count),
    showWaiting: (count) => showWaiting(registry, count),
  }
}

/** The metrics of a process, as they travel between processes. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Combines the metrics of several processes: each is summed, averaged or left out by its `aggregator` (I3). */
export const aggregateMetrics = (all: ReadonlyArray<MetricValues>): Registry => Registry.aggregate([...all])

/** Returns the metrics that still count after their process has ended: without them, sums would fall. */
export const cumulativeMetrics = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))

/**
 * Returns the fields of a request in the log. The route's pattern stands for the URL, which may hold tokens, secrets or emails in its
 * query or path, even if there is no such path (A5).
 */
const lineOf = (request: FastifyRequest) => ({
  requestId: request.id,
  method: request.method,
  route: patternOf(request),
  client: contextOf(request).caller?.clientId,
})

/** Adds the cause, without any value of the request: a driver may repeat its parameters (A5). */
const faultOf = (request: FastifyRequest, cause: unknown) => ({
  ...lineOf(request),
  err: loggedError(cause, valuesOf(request)),
})

/** Writes one line for each response, with the cause of a fault of the service. */
export const addAccessLog = (app: FastifyInstance, logger: Logger, isIdle: IsIdle): void => {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { cause, refusal } = contextOf(request)
    if (cause === undefined && refusal === undefined && !logger.isLevelEnabled('info')) return done()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const outcome = { status: reply.statusCode, ms }
    if (refusal !== undefined)
      logger.warn({ ...lineOf(request), ...outcome, reason: refusal.reason }, refusal.message)
    else if (cause === undefined) logger.info({ ...lineOf(request), ...outcome }, 'answered')
    else logger.error({ ...faultOf(request, cause), ...outcome }, 'failed')
    done()
  })
  // A fault in the middle of a streamed response closes the connection too, and is not an abort. Listens to the response, because a
  // request without a body emits no event (`optimizeEmptyRequests`), for which onRequestAbort waits.
  app.addHook('onRequest', (request: FastifyRequest, { raw }, done) => {
    // A response closes once, and "on" needs no second function.
    raw.on('close', () => {
      if (raw.writableFinished) return
      const { cause } = contextOf(request)
      if (cause === undefined)
        logger.info(lineOf(request), isIdle(request.raw) ? TIMED_OUT : 'aborted by the caller')
      else logger.error(faultOf(request, cause), 'failed while answering')
    })
    done()
  })
}
