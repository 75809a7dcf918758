import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client'

/** Kinds of database operations: reads, transactions, and walks through a snapshot. */
export type DatabaseOperation = 'read' | 'write' | 'snapshot'

/** Adds an operation with its duration in milliseconds, including the wait. */
export type AddOperation = (operation: DatabaseOperation, milliseconds: number, failed: boolean) => void

/** How long the database takes, and how often it fails. */
export const countOperations = (registry: Registry): AddOperation => {
  const labelNames = ['operation'] as const
  const durations = new Histogram({
    name: 'almoner_database_duration_seconds',
    help: 'Time that an operation of the database takes, waiting for its turn included.',
    labelNames,
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'almoner_database_failures_total',
    help: 'Operations of the database that failed.',
    labelNames,
    registers: [registry],
  })
  const timeOf = {
    read: durations.labels({ operation: 'read' }),
    write: durations.labels({ operation: 'write' }),
    snapshot: durations.labels({ operation: 'snapshot' }),
  }
  for (const operation of Object.keys(timeOf)) failures.inc({ operation }, 0)
  return (operation, milliseconds, failed) => {
    timeOf[operation].observe(milliseconds / 1000)
    if (failed) failures.inc({ operation })
  }
}

/** Returns the bytes of a file database's write-ahead log. It may throw. */
export type AskLogBytes = () => number

/** Adds a gauge of the write-ahead log, which each process reads from the same file. It has no value while the file cannot be read. */
export const showLog = (registry: Registry, ask: AskLogBytes): void => {
  new Gauge({
    name: 'almoner_database_log_bytes',
    help: 'Bytes of the write-ahead log of a SQLite database.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      try {
        this.set(ask())
      } catch {
        this.remove()
      }
    },
  })
}

/** A process that keeps the write-ahead log growing. */
export interface LogHolder {
  /** 0 if it is unknown. */
  readonly pid: number
  readonly command: string
}

/** Counts what readers that keep the write-ahead log growing cause. */
export interface LogMetrics {
  /** Adds a streamed collection that was ended. */
  readonly collectionEnded: () => void
  /** Takes in which other processes keep a log of this size; with 0 bytes, none. */
  readonly logHeld: (holders: ReadonlyArray<LogHolder>, bytes: number) => void
}

const UNKNOWN: LogHolder = { pid: 0, command: '' }

/** Makes the metrics of readers that keep the write-ahead log growing. */
export const countLogReaders = (registry: Registry): LogMetrics => {
  const ended = new Counter({
    name: 'almoner_collections_ended_total',
    help: 'Collections that were ended while they were sent, because their readers kept the write-ahead log growing.',
    registers: [registry],
  })
  const held = new Gauge({
    name: 'almoner_database_log_held_bytes',
    help: 'Bytes of a write-ahead log beyond its limit which another process keeps growing.',
    labelNames: ['pid', 'process'] as const,
    registers: [registry],
    aggregator: 'max',
  })
  return {
    collectionEnded: () => ended.inc(),
    logHeld: (holders, bytes) => {
      held.reset()
      if (bytes === 0) return
      const named = holders.length === 0 ? [UNKNOWN] : holders
      for (const { pid, command } of named) held.set({ pid: String(pid), process: command }, bytes)
    },
  }
}
