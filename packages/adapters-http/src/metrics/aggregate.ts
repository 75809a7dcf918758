import { AggregatorRegistry, type Registry } from 'prom-client'

/** The metrics of a process, as they travel between processes. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Combines the metrics of several processes: each is summed, averaged or left out by its `aggregator` (I3). */
export const aggregateMetrics = (all: ReadonlyArray<MetricValues>): Registry =>
  AggregatorRegistry.aggregate([...all])

/** Returns the metrics that still count after their process has ended: without them, sums would fall. */
export const cumulativeMetrics = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
