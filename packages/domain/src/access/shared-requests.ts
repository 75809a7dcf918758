import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock, Unavailable } from '../values/ports.ts'
import { type Instant, MINUTE } from '../values/time.ts'
import { MOST_ENTRIES, makeExchange } from './node-log.ts'
import type { NotedRequests, RequestLog } from './ports.ts'

/** Counts requests by key (A8). */
export interface RequestCounts {
  /**
   * Counts a request, and returns how many are known in the running window of its key: this one included, and at most one more than the limit.
   * `endsIn` is in milliseconds.
   */
  readonly count: (key: string) => { readonly requests: number; readonly endsIn: number }
}

/** Counts of one process, which it shares with the other processes of its node, and its node with the other nodes. */
export interface SharedRequests extends RequestCounts {
  /** Takes the reports of another process of this node, or those of other nodes. */
  readonly hear: (reports: ReadonlyArray<NotedRequests>, isOfNode: boolean) => void
  /** Reports to the other processes of this node what they do not know. */
  readonly tellProcesses: () => void
  /**
   * Counts the requests of other nodes, then stores those of this node. Returns how many reports were new. While it fails, each node counts
   * alone. One process of a node runs it.
   */
  readonly exchange: (requestLog: RequestLog) => TE.TaskEither<Unavailable, number>
}

/** How requests are counted. */
export interface RequestCounting {
  readonly limit: number
  /** Milliseconds of a window, which begins with the first request of a key. A minute when absent: other windows cannot be shared. */
  readonly window?: number
  readonly clock: Clock
  /** Milliseconds of a clock that is never set (I9). */
  readonly monotonic: () => number
  /** Hides keys from others, because some hold the address of a person. */
  readonly digest?: (key: string) => string
  /** Names the process. New at each start. */
  readonly process?: string
  /** Names the node; all of its processes have the same name for it. */
  readonly node?: string
  /** Sends reports to the other processes of this node: those of this process, or those of other nodes. */
  readonly tell?: (reports: ReadonlyArray<NotedRequests>, isOfNode: boolean) => void
}

/** Keys that are counted; beyond them the one that began to count longest ago is forgotten. */
const MOST_KEYS = 20_000

/**
 * A process reports a key each time it has counted this part of the limit, and each request once half of the limit is known. What 128 processes
 * keep to themselves is less than the other half, so that none of them overlooks the limit, and a client far from it costs little.
 */
const PART = 1 / 256

interface Counter {
  /** When the window began by the monotonic clock, by which it ends. */
  since: number
  /** The same moment by the clock of all nodes: the earliest that any of them has reported. */
  begun: Instant
  /** Requests of this process, of this node, and all known ones. */
  readonly known: { process: number; node: number; all: number }
  /** What others know. */
  readonly reported: { process: number; node: number }
  /** Requests by the process or node that has reported them. */
  heard?: Map<string, number>
}

/**
 * Counts requests in windows. Together processes answer no more than the limit and what arrives until they hear of each other, and none
 * refuses a request before that many have been answered within its window (I8). Reports are totals of a window, so that none counts twice,
 * and windows that overlap become the earliest of them.
 */
export const shareRequests = ({
  limit,
  window = MINUTE,
  clock,
  monotonic,
  digest = (key) => key,
  process = '',
  node = '',
  tell = () => {},
}: RequestCounting): SharedRequests => {
  const counters = new Map<string, Counter>()
  const part = Math.max(1, Math.floor(limit * PART))

  const running = (key: string, now: number): Counter | undefined => {
    const counter = counters.get(key)
    return counter !== undefined && now - counter.since < window ? counter : undefined
  }

  const begin = (key: string, since: number, begun: Instant): Counter => {
    const counter: Counter = {
      ...{ since, begun },
      known: { process: 0, node: 0, all: 0 },
      reported: { process: 0, node: 0 },
    }
    counters.delete(key)
    counters.set(key, counter)
    for (const oldest of counters.keys()) {
      if (counters.size <= MOST_KEYS) break
      counters.delete(oldest)
    }
    return counter
  }

  /** The counter that a report belongs to; undefined if its window has ended, or was begun by a clock that is far ahead (I9). */
  const counterOf = ({ key, begun }: NotedRequests): Counter | undefined => {
    const age = clock.now() - begun
    if (Math.abs(age) >= window) return undefined
    const now = monotonic()
    const since = now - Math.max(age, 0)
    const counter = running(key, now)
    if (counter === undefined || begun - counter.begun >= window) return begin(key, since, begun)
    if (counter.begun - begun >= window) return undefined
    if (begun < counter.begun) {
      counter.begun = begun
      counter.since = Math.min(counter.since, since)
    }
    return counter
  }

  /** Returns whether the report was new. */
  const hearOne = (report: NotedRequests, isOfNode: boolean): boolean => {
    const counter = counterOf(report)
    if (counter === undefined) return false
    counter.heard ??= new Map()
    const more = report.requests - (counter.heard.get(report.node) ?? 0)
    if (more <= 0) return false
    counter.heard.set(report.node, report.requests)
    counter.known.all += more
    if (isOfNode) counter.known.node += more
    return true
  }

  /** The reports that a process makes to its node, or a node to others. */
  const reportsOf = (level: 'process' | 'node', name: string, at: Instant): ReadonlyArray<NotedRequests> => {
    const now = monotonic()
    const reports: Array<NotedRequests> = []
    for (const [key, { since, begun, known, reported }] of counters) {
      const more = known[level] - reported[level]
      const least = known.all * 2 < limit ? part : 1
      if (more >= least && now - since < window)
        reports.push({ node: name, key, begun, requests: known[level], at })
      if (reports.length === MOST_ENTRIES) break
    }
    return reports
  }

  const onReported = (level: 'process' | 'node', reports: ReadonlyArray<NotedRequests>): void => {
    for (const { key, begun, requests } of reports) {
      const counter = counters.get(key)
      if (counter?.begun === begun) counter.reported[level] = requests
    }
  }

  const exchange = makeExchange<NotedRequests>(node, {
    unsent: (now) => reportsOf('node', node, now),
    onSent: (reports) => onReported('node', reports),
    hear: (found) => {
      const fresh = found.filter((report) => hearOne(report, false))
      if (fresh.length > 0) tell(fresh, false)
      return fresh.length
    },
  })

  return {
    count: (key) => {
      const now = monotonic()
      const name = digest(key)
      const counter = running(name, now) ?? begin(name, now, clock.now())
      const { known, since } = counter
      const isAllowed = known.all < limit
      if (isAllowed) {
        known.process += 1
        known.node += 1
        known.all += 1
      }
      return { requests: isAllowed ? known.all : limit + 1, endsIn: window - (now - since) }
    },
    hear: (reports, isOfNode) => {
      for (const report of reports) hearOne(report, isOfNode)
    },
    tellProcesses: () => {
      const reports = reportsOf('process', process, clock.now())
      if (reports.length > 0) tell(reports, true)
      onReported('process', reports)
    },
    exchange: (requestLog) => exchange(clock, requestLog),
  }
}
