import { Agent } from 'undici'
import { trusting } from '../trust.ts'
import type { Answer } from './outcomes.ts'

/** A request that is posted. */
export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** Connections to FCM and to the token endpoint. */
export interface Connections {
  /** Rejects when no answer comes. */
  post(posting: Posting): Promise<Answer>
  /** Ends every connection at once. */
  close(): Promise<void>
}

/** Google's servers allow 100 streams on a connection; the window is 1000 at most. */
const STREAMS = 100
const CONNECTIONS = 10
/** More than any answer holds. */
const MOST_BYTES = 65_536

const first = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header[0]

/**
 * Connects over HTTP/2 when there is something to send, and anew after a GOAWAY, a reset or a restart. Streams give up a little before
 * the push does: when one does, undici asks the connection for a sign of life and drops one that has died silently.
 * @param ca an authority to trust beside the machine's, PEM
 * @param limit how long an answer is waited for, in milliseconds
 */
export const makeConnections = (ca: string | undefined, limit: number): Connections => {
  const patience = Math.ceil(limit * 0.9)
  const agent = new Agent({
    allowH2: true,
    connections: CONNECTIONS,
    h2Options: { maxConcurrentStreams: STREAMS },
    // Of HTTP/1.1, but undici also goes by it after a GOAWAY: were it less than what still waits on the old connection, nothing new
    // would be sent before all of that is answered.
    pipelining: 2 * STREAMS,
    connect: { ...trusting(ca), timeout: limit },
    headersTimeout: patience,
    bodyTimeout: patience,
    maxResponseSize: MOST_BYTES,
  })
  return {
    post: async ({ url, headers, body, signal }) => {
      const { origin, pathname, search } = url
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers,
        body,
        signal,
      })
      return {
        status: answer.statusCode,
        retryAfter: first(answer.headers['retry-after']),
        body: await answer.body.text(),
      }
    },
    close: () => agent.destroy(),
  }
}
