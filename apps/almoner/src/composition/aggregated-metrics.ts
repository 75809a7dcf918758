import { setTimeout as wait } from 'node:timers/promises'
import {
  aggregateMetrics,
  cumulativeMetrics,
  type MetricsSource,
  type MetricValues,
  startMetricsServer,
} from '@almoner/adapters-http'
import type { Logger } from 'pino'
import type { Settings } from '../config/definitions.ts'

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
