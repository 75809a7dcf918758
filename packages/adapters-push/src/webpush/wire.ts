import type { LookupFunction } from 'node:net'
import {
  type Deadline,
  type HttpsProxy,
  openAgent,
  type Posting,
  type PostResponse,
  post,
  type Reading,
} from '../connections.ts'

/** Over HTTP/1.1 as many pushes can be on their way to one origin; HTTP/2 needs one connection for a hundred. */
const CONNECTIONS = 32
/** More origins than push services have. */
const MOST_ORIGINS = 256
/** A burst of pushes finds the connections of the one before. */
const IDLE = 60_000
/** All that is looked at of an answer. Its status has the result of the push, so that its beginning is enough. */
const READING: Reading<PostResponse> = {
  most: 4096,
  isEnough: () => true,
  answered: (answer) => answer,
  unanswered: (error) => Promise.reject(error),
}

/** How a {@link Wire} reaches push services. */
interface WireOptions {
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca: string | undefined
  readonly proxy: HttpsProxy | undefined
  readonly lookup: LookupFunction
  /** Milliseconds to connect in, and to wait for an answer. */
  readonly limit: number
}

/** HTTP/2 where it is offered, by kept connections. Redirects are answers like others. */
interface Wire {
  /** Rejects without a response. */
  post(posting: Posting, deadline: Deadline): Promise<PostResponse>
  /** Takes no more, and is done when those under way are. Closing twice is the same as once. */
  close(): Promise<void>
}

/**
 * Opens nothing until the first push. A request times out a little before its push does, which drops a connection that has died silently: over
 * HTTP/1.1 at once, over HTTP/2 when a ping is not answered either (G15).
 */
export const openWire = ({ ca, proxy, lookup, limit }: WireOptions): Wire => {
  const timeout = Math.ceil(limit * 0.9)
  const agent = openAgent({
    ca,
    proxy,
    limit,
    lookup,
    preferH2: true,
    connections: CONNECTIONS,
    maxOrigins: MOST_ORIGINS,
    keepAliveTimeout: IDLE,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  let closed: Promise<void> | undefined
  return {
    post: (posting, deadline) => post(agent, posting, deadline, READING),
    close: () => {
      closed ??= agent.close()
      return closed
    },
  }
}
