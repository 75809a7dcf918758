import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import { memoryFailedAttempts } from './guessing.ts'
import { ALLOWED_FAILURES, isRecentFailure } from './model.ts'
import { MOST_ENTRIES, makeExchange } from './node-log.ts'
import type { AccessPorts, FailedAttempts, NotedFailures } from './ports.ts'

/** A failure with a digested key, and whether it happened in this node: others hear of such failures alone. */
type Attempt = readonly [...failure: Parameters<FailedAttempts['add']>, isOfNode: boolean]

/** Failed attempts of a node that counts those of all nodes. */
export interface SharedAttempts {
  /** For the use cases. Keys are digested, because some hold the address of a person. */
  readonly failedAttempts: FailedAttempts
  /** Counts a failure that another process of this node reports. */
  readonly hear: (...attempt: Attempt) => void
  /** Stores the failures of this node, and counts those of others. Returns how many entries those were. While it fails, each node counts alone. */
  readonly exchange: (ports: Pick<AccessPorts, 'clock' | 'failureLog'>) => TE.TaskEither<Unavailable, number>
}

/** Names a node, and connects its processes. */
interface NodeParts {
  /** New at each start. */
  readonly node: string
  readonly digest: (key: string) => string
  /** Called with each failure that the other processes of this node do not know. */
  readonly onAdd?: (...attempt: Attempt) => void
}

/** Makes failed attempts that nodes exchange, so that wrong credentials spread over them are blocked as by one (A8). A success exchanges nothing. */
export const shareAttempts = ({ node, digest, onAdd = () => {} }: NodeParts): SharedAttempts => {
  const local = memoryFailedAttempts()
  const heard = new Map<string, Instant>()
  let waiting: Array<NotedFailures> = []
  /** Entries of which it is not known that they were written. They keep their numbers, so that none counts twice. */
  let unsent: ReadonlyArray<NotedFailures> = []
  let number = 0

  const hear = (...[source, key, at, isOfNode]: Attempt) => {
    local.add(source, key, at)
    if (!isOfNode || waiting.length >= MOST_ENTRIES) return
    number += 1
    waiting.push({ node, number, source, key, failures: 1, at })
  }

  /** Joins entries of a key that were not written yet. */
  const joined = (entries: ReadonlyArray<NotedFailures>): ReadonlyArray<NotedFailures> => {
    const byKey = new Map<string, NotedFailures>()
    for (const entry of entries) {
      const name = `${entry.source} ${entry.key}`
      byKey.set(name, { ...entry, failures: entry.failures + (byKey.get(name)?.failures ?? 0) })
    }
    return [...byKey.values()]
  }

  const count = (found: ReadonlyArray<NotedFailures>, now: Instant): number => {
    const fresh = found.filter(
      ({ node, number, at }) => isRecentFailure(at, now) && !heard.has(`${node} ${number}`),
    )
    for (const { node, number, source, key, failures, at } of fresh) {
      heard.set(`${node} ${number}`, at)
      for (let n = 0; n < Math.min(failures, ALLOWED_FAILURES[source]); n += 1) {
        local.add(source, key, at)
        onAdd(source, key, at, false)
      }
    }
    for (const [name, at] of heard) if (!isRecentFailure(at, now)) heard.delete(name)
    return fresh.length
  }

  const exchange = makeExchange<NotedFailures>(node, {
    unsent: (now) => {
      const entries = [...unsent, ...joined(waiting)].filter(({ at }) => isRecentFailure(at, now))
      unsent = entries.slice(0, MOST_ENTRIES)
      waiting = []
      return unsent
    },
    onSent: () => {
      unsent = []
    },
    hear: count,
  })

  return {
    failedAttempts: {
      of: (source, key, now) => local.of(source, digest(key), now),
      add: (source, key, at) => {
        const digested = digest(key)
        hear(source, digested, at, true)
        onAdd(source, digested, at, true)
      },
    },
    hear,
    exchange: ({ clock, failureLog }) => exchange(clock, failureLog),
  }
}
