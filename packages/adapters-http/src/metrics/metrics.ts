import { Counter, collectDefaultMetrics, Registry } from '@prometheus-io/client'
import {
  type AddOperation,
  type AskLogBytes,
  countLogReaders,
  countOperations,
  type LogMetrics,
  showLog,
} from './database.ts'
import { countPushes, type PushMetrics } from './pushes.ts'
import { type AskSending, showSending } from './queue.ts'
import { type AddResponse, countRequests } from './requests.ts'

/** Counts lookups in the response cache by result. */
export interface CacheLookups {
  /** Found before Fastify saw the request. */
  raw_hit: number
  /** Found for a caller of the same kind. */
  hit: number
  /** Not found. */
  miss: number
}

export const noLookups = (): CacheLookups => ({ raw_hit: 0, hit: 0, miss: 0 })

/** Adds a job that was done, or failed. */
export type AddJob = (job: string, failed: boolean) => void

/** The service's metrics, in the form that Prometheus reads (I3). */
export interface Metrics extends PushMetrics, LogMetrics {
  /** The metrics. Those of the process are collected from the first access on. */
  readonly registry: Registry
  readonly add: AddResponse
  /** Counts for the response cache to raise. */
  readonly lookups: CacheLookups
  readonly database: AddOperation
  readonly job: AddJob
  /** Adds a device that was attached and to which nothing can be sent. */
  readonly unroutable: () => void
  /** Adds gauges of what waits to be sent. */
  readonly showSending: (ask: AskSending) => void
  /** Adds a gauge of the write-ahead log. */
  readonly showLog: (ask: AskLogBytes) => void
}

/** Makes the counter of reviews and other work without a request. */
const countJobs = (registry: Registry): AddJob => {
  const jobs = new Counter({
    name: 'almoner_jobs_total',
    help: 'Reviews of notifications and other work that the server does by itself, done or failed.',
    labelNames: ['name', 'outcome'] as const,
    registers: [registry],
  })
  // Both exist from the first job on: a count that appears with its first failure shows no growth.
  return (job, failed) => {
    jobs.inc({ name: job, outcome: 'failed' }, failed ? 1 : 0)
    jobs.inc({ name: job, outcome: 'done' }, failed ? 0 : 1)
  }
}

/** Makes the counter of attached devices to which nothing can be sent (F5). */
const countUnroutable = (registry: Registry): (() => void) => {
  const devices = new Counter({
    name: 'almoner_unroutable_tokens_total',
    help: 'Device tokens attached whose kind is unknown: nothing can be sent to them.',
    registers: [registry],
  })
  return () => devices.inc()
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
    unroutable: countUnroutable(registry),
    ...countPushes(registry),
    ...countLogReaders(registry),
    showSending: (ask) => showSending(registry, ask),
    showLog: (ask) => showLog(registry, ask),
  }
}

/** The metrics of a process, as they travel between processes. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Combines the metrics of several processes: each is summed, averaged or left out by its `aggregator` (I3). */
export const aggregateMetrics = (all: ReadonlyArray<MetricValues>): Registry => Registry.aggregate([...all])

/** Returns the metrics that still count after their process has ended: without them, sums would fall. */
export const cumulativeMetrics = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
