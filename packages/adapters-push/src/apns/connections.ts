import type { ClientHttp2Session } from 'node:http2'
import { within } from '../within.ts'
import type { LibraryClient } from './library.ts'

/** A place on a connection for one request. */
export interface Place {
  readonly session: ClientHttp2Session
  /** Resolves once the server has said how many requests it takes at a time, or has gone. */
  readonly ready: Promise<void>
  /** What the connection broke by, if it did. */
  fault(): unknown
  /** Gives it back. After a request that was not answered in time, the connection takes no further ones. */
  leave(isAnswered: boolean): void
}

/** The connections to one server: one in use, and perhaps earlier ones that end. */
export interface Connections {
  /** Rejects when no connection can be begun. */
  enter(): Promise<Place>
  /** Ends them all; to be called when nothing is in flight. */
  close(): Promise<void>
}

interface Line {
  readonly session: ClientHttp2Session
  readonly ready: Promise<void>
  readonly closed: Promise<void>
  requests: number
  isRetired: boolean
  fault: unknown
}

/** How long a peer may take to hang up, in milliseconds. */
const PARTING = 1000

const isOpen = ({ session, isRetired }: Line): boolean => !isRetired && !session.closed && !session.destroyed

/**
 * Reuses a connection for as long as it is sound. A peer that has gone without a word leaves a connection on which every push is
 * written and none answered, for a quarter of an hour: so the first push that gets no answer in time retires it, and the next push
 * connects anew.
 */
export const makeConnections = (client: LibraryClient): Connections => {
  const lines = new Set<Line>()
  let current: Line | undefined
  let dialling: Promise<Line> | undefined

  const watch = (session: ClientHttp2Session): Line => {
    const closed = new Promise<void>((resolve) => session.once('close', resolve))
    // Sent before that, all but the first would be refused: APNs takes one until it has seen a provider token.
    const settled = new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()))
    const ready = Promise.race([settled, closed])
    const line: Line = { session, ready, closed, requests: 0, isRetired: false, fault: undefined }
    lines.add(line)
    session.once('close', () => lines.delete(line))
    session.once('error', (error) => {
      line.fault = error
    })
    // Node closes a connection by itself when the peer says GOAWAY. The library does too, and at the second time, which a peer that leaves
    // in good order has, throws away what is still being answered.
    session.removeAllListeners('goaway')
    // A peer that leaves should hang up. Where it does not, nothing waits for it but pushes, which have timers of their own.
    session.once('goaway', () => session.unref())
    return line
  }

  const dial = async (): Promise<Line> => {
    try {
      await client.connect()
      if (client.session === undefined) throw new Error('no connection')
      current = watch(client.session)
      return current
    } finally {
      dialling = undefined
    }
  }

  const line = async (): Promise<Line> => {
    if (current !== undefined && isOpen(current)) return current
    dialling ??= dial()
    return dialling
  }

  return {
    enter: async () => {
      const taken = await line()
      taken.requests += 1
      return {
        session: taken.session,
        ready: taken.ready,
        fault: () => taken.fault,
        leave: (isAnswered) => {
          taken.requests -= 1
          if (!isAnswered) taken.isRetired = true
          if (taken.isRetired && taken.requests === 0) taken.session.destroy()
        },
      }
    },
    close: async () => {
      const closing = [...lines]
      for (const { session } of closing) session.destroy()
      // Not waited for: it would wait for ever for a connection that has been destroyed already.
      void client.shutdown()
      await within<unknown>(PARTING, undefined, () => Promise.all(closing.map(({ closed }) => closed)))
    },
  }
}
