import { Readable } from 'node:stream'
import type { TokenDigest } from '@almoner/domain/access'

/** Milliseconds between two looks at the data version and the sessions. */
const INTERVAL = 1000

/** Looks from one heartbeat to the next. */
const HEARTBEATS = 4

/** Looks after which a stream ends whose session has not been found again: within five seconds (A9). */
const UNKNOWN = 4

/** Open streams of one manager, and of all, in this process. */
const MOST_OF_ONE = 10
const MOST = 1000

/** Bytes that wait for a slow reader, beyond which it gets nothing more: it has an event to read already. */
const WAITING = 1024

const CHANGE = 'event: change\ndata: changed\n\n'

/** A comment: keeps the connection from being idle, and shows that it is still open. */
const HEARTBEAT = ':\n\n'

/** How changes are noticed. */
export interface ChangeParts {
  /** Returns a number that changes whenever data may have changed. */
  readonly version: () => number
  /** Milliseconds between two looks at it, and at the sessions of streams; one second unless given. */
  readonly interval?: number
}

/** The parts of {@link makeChangeStreams}. */
export interface StreamParts extends ChangeParts {
  /** Resolves with those of some sessions that still count. Rejects if it cannot be known. */
  readonly current: (digests: ReadonlyArray<TokenDigest>) => Promise<ReadonlySet<TokenDigest>>
}

/** The session and the manager of a stream. */
export interface Watcher {
  readonly manager: string
  readonly session: TokenDigest
}

interface OpenStream extends Watcher {
  readonly stream: Readable
  /** The number of the look at which the session was last known to count. */
  foundAt: number
}

/** Streams of server-sent events that notify pages of changes. */
export interface ChangeStreams {
  /** Opens a stream for a session that counts now; undefined if the manager, or all together, have too many. */
  readonly open: (watcher: Watcher) => Readable | undefined
  /** Ends all streams. Streams that are opened afterwards end at once. */
  readonly end: () => void
}

/**
 * Makes the streams of a process. Data version and sessions are looked at only while a stream is open, by one timer and one query for all.
 * A stream ends within five seconds of its session, however that ends, and also if the store cannot tell for so long (A9).
 */
export const makeChangeStreams = ({ version, current, interval = INTERVAL }: StreamParts): ChangeStreams => {
  const streams = new Set<OpenStream>()
  let timer: NodeJS.Timeout | undefined
  let [known, ticks, ended, isLooking] = [0, 0, false, false]

  const push = ({ stream }: OpenStream, text: string): void => {
    if (stream.readableLength < WAITING) stream.push(text)
  }
  /** Forgets a stream, whether it is ended here or closed by its reader. Without streams nothing is looked at. */
  const forget = (one: OpenStream): void => {
    streams.delete(one)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const endOne = (one: OpenStream): void => {
    forget(one)
    one.stream.push(null)
  }
  /** Ends the streams whose sessions have ended. */
  const look = async (): Promise<void> => {
    const [asked, startedAt] = [[...streams], ticks]
    isLooking = true
    try {
      const found = await current([...new Set(asked.map(({ session }) => session))])
      for (const one of asked.filter((each) => streams.has(each)))
        if (found.has(one.session)) {
          one.foundAt = startedAt
          if (startedAt % HEARTBEATS === 0) push(one, HEARTBEAT)
        } else endOne(one)
    } catch {
      // The next look may succeed. If none does in time, the streams end.
    } finally {
      isLooking = false
    }
  }
  const tick = (): void => {
    ticks += 1
    for (const one of [...streams].filter(({ foundAt }) => ticks - foundAt >= UNKNOWN)) endOne(one)
    const present = version()
    if (present !== known) for (const one of streams) push(one, CHANGE)
    known = present
    if (!isLooking) void look()
  }
  const isFull = (manager: string): boolean =>
    streams.size >= MOST || [...streams].filter((one) => one.manager === manager).length >= MOST_OF_ONE

  return {
    open: (watcher) => {
      if (isFull(watcher.manager)) return undefined
      const one: OpenStream = { ...watcher, stream: new Readable({ read: () => {} }), foundAt: ticks }
      // Sends the header fields at once.
      push(one, HEARTBEAT)
      if (ended) endOne(one)
      else {
        if (streams.size === 0) known = version()
        streams.add(one)
        one.stream.once('close', () => forget(one))
        timer ??= setInterval(tick, interval).unref()
      }
      return one.stream
    },
    end: () => {
      ended = true
      for (const one of streams) endOne(one)
    },
  }
}
