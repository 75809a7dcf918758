import { hash, randomUUID } from 'node:crypto'
import type { Ports } from '@almoner/domain'
import {
  type RequestCounts,
  type SharedAttempts,
  type SharedRequests,
  shareAttempts,
  shareRequests,
} from '@almoner/domain/access'
import type { FailedAttempts } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'

/** What a process reports to the other processes of its node: a wrong credential, or counted requests (A8). */
export type CountMessage =
  | readonly ['failure', ...Parameters<SharedAttempts['hear']>]
  | readonly ['requests', ...Parameters<SharedRequests['hear']>]

/** Connects a process with the others of its node. */
export interface NodeLink {
  /** The same in all processes of the node, and new at each start. */
  readonly node: string
  /** Sends a message to the other processes. */
  readonly tell: (message: CountMessage) => void
}

/** What a process counts together with the other processes of its node, and with other nodes (A8). */
export interface NodeCounts {
  readonly failedAttempts: FailedAttempts
  /** Requests, where a limit is set. */
  readonly requests: RequestCounts | undefined
  /** Counts what another process of the node reports. */
  readonly hear: (message: CountMessage) => void
  /**
   * Goes on exchanging, with the other nodes too if it gets ports. Of a node one process does that. Returns a function that ends it, and
   * resolves when the last exchange has ended.
   */
  readonly keepExchanging: (ports?: Pick<Ports, 'clock' | 'failureLog' | 'requestLog'>) => () => Promise<void>
}

/** Milliseconds between two reports of a process to the others of its node. */
const TELL = 200

/** Milliseconds between two exchanges of failures: one counts in all nodes after two of them at most, within the 2 s of A8. */
const FAILURES = 700

/**
 * Milliseconds between two exchanges of requests. When a client reaches its limit within a moment, all processes know it after one report within its
 * node and four exchanges at most: two until half of the limit is known, and two for the rest.
 */
const REQUESTS = 400

const digest = (key: string): string => hash('sha256', key, 'base64url')

/** Repeats work, one run at a time. Returns a function that ends it, and resolves when the last run has ended. */
const repeat = (milliseconds: number, work: () => Promise<unknown>): (() => Promise<void>) => {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= work().finally(() => {
      running = undefined
    })
  }, milliseconds).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Makes the counts of a process. @param limit of requests a minute, if there is one @param link to the other processes of its node, if it has some */
export const shareCounts = (
  clock: Ports['clock'],
  limit: number | undefined,
  link?: NodeLink,
): NodeCounts => {
  const process = randomUUID()
  const attempts = shareAttempts({
    node: process,
    digest,
    onAdd: (...attempt) => link?.tell(['failure', ...attempt]),
  })
  const requests =
    limit === undefined
      ? undefined
      : shareRequests({
          ...{ limit, clock, digest, process, node: link?.node ?? process },
          monotonic: () => performance.now(),
          tell: (...reports) => link?.tell(['requests', ...reports]),
        })
  return {
    failedAttempts: attempts.failedAttempts,
    requests,
    hear: (message) => {
      if (message[0] === 'failure') {
        const [, ...attempt] = message
        attempts.hear(...attempt)
      } else {
        const [, reports, isOfNode] = message
        requests?.hear(reports, isOfNode)
      }
    },
    keepExchanging: (ports) => {
      const tellProcesses = async () => requests?.tellProcesses()
      const ends = [
        ...(link === undefined || requests === undefined ? [] : [repeat(TELL, tellProcesses)]),
        ...(ports === undefined ? [] : [repeat(FAILURES, attempts.exchange(ports))]),
        ...(ports === undefined || requests === undefined
          ? []
          : [repeat(REQUESTS, requests.exchange(ports.requestLog))]),
      ]
      return async () => {
        await Promise.all(ends.map((end) => end()))
        await tellProcesses()
      }
    },
  }
}

/** Messages remembered for fresh processes: two of each check of credentials, and a process checks no more than a few thousand in a minute. */
const MOST_MESSAGES = 40_000

/** The messages of the last minute, for processes that start. */
export interface RememberedMessages {
  /** Remembers a message. A later report of the same process about the same key replaces an earlier one. */
  readonly note: (message: CountMessage) => void
  /** Returns the messages, the oldest first. */
  readonly recent: () => ReadonlyArray<CountMessage>
}

/** Remembers the messages of the processes of a node. @param now milliseconds of a clock that is never set */
export const rememberMessages = (now: () => number = () => performance.now()): RememberedMessages => {
  const messages = new Map<string, { readonly message: CountMessage; readonly at: number }>()
  let number = 0
  const note = (name: string, message: CountMessage) => {
    messages.delete(name)
    messages.set(name, { message, at: now() })
  }
  const forget = () => {
    for (const [name, { at }] of messages) {
      if (messages.size <= MOST_MESSAGES && now() - at < MINUTE) return
      messages.delete(name)
    }
  }
  return {
    note: (message) => {
      number += 1
      if (message[0] === 'failure') {
        const [kind, source, key, at] = message
        // Other nodes must not count it again.
        note(`failure ${number}`, [kind, source, key, at, false])
      } else {
        const [, reports, isOfNode] = message
        for (const report of reports) note(`${report.node} ${report.key}`, ['requests', [report], isOfNode])
      }
      forget()
    },
    recent: () => {
      forget()
      return [...messages.values()].map(({ message }) => message)
    },
  }
}
