import { collectDefaultMetrics, Registry } from 'prom-client'
import { type CacheLookups, showLookups } from './cache-lookups.ts'
import { type AddChore, countChores } from './chores.ts'
import { type AddOperation, countOperations } from './database.ts'
import { type AskLogBytes, showLog } from './log.ts'
import { countPushes, type PushFigures } from './pushes.ts'
import { type AskSending, showSending } from './queue.ts'
import { type AddResponse, countRequests } from './requests.ts'
import { countUnroutable } from './unroutable.ts'

/** The service's metrics, in the form that Prometheus reads (I3). */
export interface Metrics extends PushFigures {
  /** The metrics. Those of the process are collected from the first access on. */
  readonly registry: Registry
  readonly add: AddResponse
  /** Counts for the response cache to raise. */
  readonly lookups: CacheLookups
  readonly database: AddOperation
  readonly chore: AddChore
  /** Adds a device that was attached and to which nothing can be sent. */
  readonly unroutable: () => void
  /** Adds gauges of what waits to be sent. */
  readonly showSending: (ask: AskSending) => void
  /** Adds a gauge of the write-ahead log. */
  readonly showLog: (ask: AskLogBytes) => void
}

/** Makes metrics in a registry of their own, so that several services of a process do not mix. */
export const makeMetrics = (): Metrics => {
  const registry = new Registry()
  let isCollecting = false
  return {
    get registry() {
      if (!isCollecting) collectDefaultMetrics({ register: registry })
      isCollecting = true
      return registry
    },
    add: countRequests(registry),
    lookups: showLookups(registry),
    database: countOperations(registry),
    chore: countChores(registry),
    unroutable: countUnroutable(registry),
    ...countPushes(registry),
    showSending: (ask) => showSending(registry, ask),
    showLog: (ask) => showLog(registry, ask),
  }
}
