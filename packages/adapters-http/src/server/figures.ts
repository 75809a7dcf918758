import { AggregatorRegistry, type Registry } from 'prom-client'

/** A process's figures, as they travel between processes. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The figures of several processes as those of one: each summed, averaged or left out as suits it (I3). */
export const sumOf = (figures: ReadonlyArray<Figures>): Registry => AggregatorRegistry.aggregate([...figures])

/** What of a process's figures still counts when it has ended: what only grows. Without it, sums would fall when a process ends. */
export const lasting = (figures: Figures): Figures =>
  figures.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
