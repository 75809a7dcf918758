import { type HttpsProxy, openAgent } from './agent.ts'
import { type Posting, type PostResponse, post } from './post.ts'
import type { Deadline } from './with-timeout.ts'

/** Connections to a provider over HTTP/2. */
export interface Http2Connections {
  /** Rejects when no answer comes, or only the beginning of one that is no success: the rest may change what it means. */
  post(posting: Posting, deadline: Deadline): Promise<PostResponse>
  /** Ends every connection at once. */
  close(): Promise<void>
}

/** How to reach a provider. */
export interface Http2Options {
  /** An authority to trust beside the machine's, PEM. */
  readonly ca: string | undefined
  readonly proxy: HttpsProxy | undefined
  /** How long an answer is waited for, in milliseconds. */
  readonly limit: number
  /** The most connections to one origin. */
  readonly connections: number
  /** The most requests on one connection, unless the server allows fewer. */
  readonly streams: number
}

/** More than any answer holds. */
const MOST_BYTES = 65_536

/**
 * Connects over HTTP/2 when there is something to send, and again after a GOAWAY, a reset or a restart. Streams time out a little before
 * the push does: when one does, undici pings the connection and drops one that has died silently.
 */
export const makeHttp2Connections = ({
  ca,
  proxy,
  limit,
  connections,
  streams,
}: Http2Options): Http2Connections => {
  const timeout = Math.ceil(limit * 0.9)
  const agent = openAgent({
    ca,
    proxy,
    limit,
    allowH2: true,
    connections,
    h2Options: { maxConcurrentStreams: streams },
    // An option of HTTP/1.1 that undici also applies after a GOAWAY: with fewer than what still waits on the old connection, nothing new
    // would be sent before all of that is answered.
    pipelining: 2 * streams,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  return {
    post: async (posting, deadline) => {
      const answer = await post(agent, posting, MOST_BYTES, deadline)
      if (!answer.isWhole && answer.status >= 300) throw new Error('The answer broke off.')
      return answer
    },
    close: () => agent.destroy(),
  }
}
