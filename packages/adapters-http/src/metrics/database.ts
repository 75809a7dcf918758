import type { Instant } from '@almoner/domain'
import type { LinkCounts } from '@almoner/domain/content'
import { type ProviderState, pausesAmong, type SendingQueue } from '@almoner/domain/delivery'
import type { PushResult } from '@almoner/domain/notifications'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

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

/** Metrics of sending. */
export interface PushMetrics {
  /** Adds a push with its result and duration in milliseconds. */
  readonly push: (provider: Provider, result: PushResult, milliseconds: number) => void
  /** Adds devices whose tokens were detached because their provider called them dead (G5). */
  readonly detached: (provider: Provider) => void
}

const OUTCOMES: Readonly<Record<PushResult['_tag'], string>> = {
  Delivered: 'delivered',
  Unregistered: 'dead',
  Retry: 'retry',
  Refused: 'refused',
  SenderError: 'fault',
}

/** Pushes by provider and outcome. The provider's reasons are for the log: they are too many for labels. */
export const countPushes = (registry: Registry): PushMetrics => {
  const registers = [registry]
  const pushes = new Counter({
    name: 'almoner_pushes_total',
    help: 'Pushes sent, by what came of each: delivered, dead, retry, refused, or fault where the provider refuses us.',
    labelNames: ['provider', 'outcome'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'almoner_push_duration_seconds',
    help: "Time from a push to the provider's answer.",
    labelNames: ['provider'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const detached = new Counter({
    name: 'almoner_tokens_detached_total',
    help: 'Device tokens detached because their provider called them dead.',
    labelNames: ['provider'] as const,
    registers,
  })
  // Pushes come in bursts: of a count that appears with its first burst no growth can be seen.
  for (const provider of PROVIDERS) {
    for (const outcome of Object.values(OUTCOMES)) pushes.inc({ provider, outcome }, 0)
    detached.inc({ provider }, 0)
  }
  return {
    push: (provider, { _tag }, milliseconds) => {
      pushes.inc({ provider, outcome: OUTCOMES[_tag] })
      durations.observe({ provider }, milliseconds / 1000)
    },
    detached: (provider) => detached.inc({ provider }),
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

/** Adds a job that was done, or failed. */
export type AddJob = (job: string, failed: boolean) => void

/** Makes the counter of reviews and other work without a request. */
export const countJobs = (registry: Registry): AddJob => {
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

/** Counts of faults that no response shows. */
export interface FaultMetrics {
  /** Adds a device that was attached and to which nothing can be sent. */
  readonly unroutable: () => void
  /** Adds a schedule of an item that failed. */
  readonly scheduleFailed: () => void
}

/** Makes counters without labels: of attached devices to which nothing can be sent (F5), and of schedules that failed (C15). */
export const countFaults = (registry: Registry): FaultMetrics => {
  const registers = [registry]
  const devices = new Counter({
    name: 'almoner_unroutable_tokens_total',
    help: 'Device tokens attached whose kind is unknown: nothing can be sent to them.',
    registers,
  })
  const schedules = new Counter({
    name: 'almoner_schedules_failed_total',
    help: 'Schedules of items that failed: at their moment, the item lacked what its new state needs.',
    registers,
  })
  return { unroutable: () => devices.inc(), scheduleFailed: () => schedules.inc() }
}

/** Adds a gauge of the standbys that answer no reads at present (I8). The processes of a node see the same. */
export const showStandbys = (registry: Registry, count: () => number): void => {
  new Gauge({
    name: 'almoner_standbys_unused',
    help: 'Standbys of ALMONER_DATABASE_READS that are not asked at present.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(count())
    },
  })
}

/** Adds a gauge of the requests that wait for changes (N4). */
export const showWaiting = (registry: Registry, count: () => number): void => {
  new Gauge({
    name: 'almoner_changes_waiting',
    help: 'Requests to /changes that are held back until there is a change.',
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}
