import { Readable } from 'node:stream'

/** Milliseconds between two looks at the data version. */
const INTERVAL = 1000

/** Looks at the data version after which sessions are checked and heartbeats sent. */
const BEAT = 4

/** Open streams of one manager, and of all, in this process. */
const MOST_OF_ONE = 10
const MOST = 1000

/** Bytes that wait for a slow reader, beyond which it gets nothing more: it has an event to read already. */
const WAITING = 1024

const CHANGE = 'event: change\ndata: changed\n\n'

/** A comment: keeps the connection from being idle, and shows that it is still open. */
const HEARTBEAT = ':\n\n'

/** The parts of {@link makeChangeStreams}. */
export interface ChangeParts {
  /** Returns a number that changes whenever data may have changed. */
  readonly version: () => number
  /** Milliseconds between two looks at it; one second unless given. */
  readonly interval?: number
}

/** A manager's stream that is to be opened. */
export interface Watcher {
  readonly manager: string
  /** Resolves with whether the stream may stay open. */
  readonly isCurrent: () => Promise<boolean>
}

interface OpenStream extends Watcher {
  readonly stream: Readable
}

/** Streams of server-sent events that notify pages of changes. */
export interface ChangeStreams {
  /** Opens a stream; undefined if the manager, or all together, have too many. */
  readonly open: (watcher: Watcher) => Readable | undefined
  /** Ends all streams. Streams that are opened afterwards end at once. */
  readonly end: () => void
}

/**
 * Makes the streams of a process. The data version is looked at only while a stream is open, by one timer for all, so that streams cost the
 * API nothing.
 */
export const makeChangeStreams = ({ version, interval = INTERVAL }: ChangeParts): ChangeStreams => {
  const streams = new Set<OpenStream>()
  let timer: NodeJS.Timeout | undefined
  let [known, ticks, ended] = [0, 0, false]

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
  const beat = async (one: OpenStream): Promise<void> => {
    const stays = await one.isCurrent().catch(() => false)
    if (!streams.has(one)) return
    if (stays) push(one, HEARTBEAT)
    else endOne(one)
  }
  const tick = (): void => {
    const present = version()
    if (present !== known) for (const one of streams) push(one, CHANGE)
    known = present
    ticks += 1
    if (ticks % BEAT === 0) for (const one of streams) void beat(one)
  }
  const isFull = (manager: string): boolean =>
    streams.size >= MOST || [...streams].filter((one) => one.manager === manager).length >= MOST_OF_ONE

  return {
    open: (watcher) => {
      if (isFull(watcher.manager)) return undefined
      const one: OpenStream = { ...watcher, stream: new Readable({ read: () => {} }) }
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
