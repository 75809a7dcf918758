import { Agent } from 'undici'
import { type Answer, type Posting, post } from '../post.ts'
import { trustContext } from '../trust.ts'
import type { Deadline } from '../within.ts'

/** Connections to FCM and to the token endpoint. */
export interface Connections {
  /** Rejects when no answer comes, or not all of one that is no success: its text may change what it means. */
  post(posting: Posting, deadline: Deadline): Promise<Answer>
  /** Ends every connection at once. */
  close(): Promise<void>
}

/** Google's servers allow 100 streams on a connection; the window is 1000 at most. */
const STREAMS = 100
const CONNECTIONS = 10
/** More than any answer holds. */
const MOST_BYTES = 65_536

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
    connect: { ...trustContext(ca), timeout: limit },
    headersTimeout: patience,
    bodyTimeout: patience,
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
