import type { Instant } from '@almoner/domain'
import type { LinkCounts } from '@almoner/domain/content'
import { type ProviderState, pausesAmong, type SendingQueue } from '@almoner/domain/delivery'
import { Counter, Gauge, Histogram, type MetricValueWithName, type Registry } from '@prometheus-io/client'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

/** Adds a duration in milliseconds to one series of a histogram. */
export type AddDuration = (milliseconds: number) => void

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

/** Kinds of database operations: reads, transactions, and walks through a snapshot. */
export type DatabaseOperation = 'read' | 'write' | 'snapshot'

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
  }
  for (const operation of Object.keys(timeOf)) failures.inc({ operation }, 0)
  return (operation, milliseconds, failed) => {
    timeOf[operation](milliseconds)
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
interface LogHolder {
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

/** What waits to be sent and which providers are paused, as all processes on the store see it. */
interface Sending {
  readonly now: Instant
  readonly queue: SendingQueue
  readonly providers: ReadonlyArray<ProviderState>
}

/** Asks the store; undefined when it does not answer. */
export type AskSending = () => Promise<Sending | undefined>

const age = (now: Instant, since: O.Option<Instant>): number =>
  O.isNone(since) ? 0 : Math.max(0, now - since.value) / 1000

/**
 * Gauges that are read from the store at each scrape, all at once. All processes report the same, so they are aggregated by `max`. While the
 * store does not answer, they have no value.
 */
export const showSending = (registry: Registry, ask: AskSending): void => {
  let asked: Promise<Sending | undefined> | undefined
  const askOnce = () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
  const common = { registers: [registry], aggregator: 'max' as const }
  const show = (name: string, help: string, of: (sending: Sending) => number) =>
    new Gauge({
      ...common,
      name,
      help,
      async collect() {
        const sending = await askOnce()
        if (sending === undefined) this.remove()
        else this.set(of(sending))
      },
    })
  show(
    'almoner_review_lag_seconds',
    'How long the oldest notification that is due has waited for a review to take it up; 0 when none waits.',
    ({ now, queue }) => age(now, queue.dueSince),
  )
  show(
    'almoner_oldest_unsent_seconds',
    'How long the oldest notification has been due that has not been sent to the last of its devices; 0 when there is none.',
    ({ now, queue }) => age(now, queue.unsentSince),
  )
  show(
    'almoner_devices_pending',
    'Devices that are yet to get a notification that is being sent.',
    ({ queue }) => queue.pending,
  )
  show(
    'almoner_retries_waiting',
    'Of these, the devices that wait for another try or for a paused provider, up to 100000.',
    ({ queue }) => queue.retries,
  )
  new Gauge({
    ...common,
    name: 'almoner_provider_paused',
    help: '1 while a provider, or one of its servers, is paused or probed, else 0.',
    labelNames: ['provider'] as const,
    async collect() {
      const sending = await askOnce()
      this.reset()
      for (const state of sending?.providers ?? [])
        this.set({ provider: state.provider }, pausesAmong([state]).length > 0 ? 1 : 0)
    },
  })
}

/** Asks the store how many links have which verdict; a failure when it does not answer. */
export type AskLinks = () => Promise<E.Either<unknown, LinkCounts>>

/** Adds a gauge of links by the verdict of the checks (C17), read from the store at each scrape. All processes report the same. */
export const showLinks = (registry: Registry, ask: AskLinks): void => {
  new Gauge({
    name: 'almoner_links',
    help: 'Links of live items by what the latest round of checks says of them: alive, unknown or dead.',
    labelNames: ['state'] as const,
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const counts = await ask()
      this.reset()
      if (E.isLeft(counts)) return
      for (const [state, links] of Object.entries(counts.right)) this.set({ state }, links)
    },
  })
}
