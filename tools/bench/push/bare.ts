import { type ClientHttp2Session, connect } from 'node:http2'
import type { Recorded } from './recorded.ts'

/** Streams that a connection is given at most, as Google's servers allow. */
const STREAMS = 100

/** A client that does nothing but post over HTTP/2, by as many connections as the window needs. */
export interface BareClient {
  /** Resolves with the status. */
  post(n: number, request: Recorded): Promise<number>
  close(): void
}

/** Opens it. */
export const openBare = (origin: string, ca: string, window: number): BareClient => {
  const count = Math.ceil(window / STREAMS)
  const sessions: ReadonlyArray<ClientHttp2Session> = Array.from({ length: count }, () =>
    connect(origin, { ca }),
  )
  return {
    post: (n, { headers, body }) =>
      new Promise((resolve, reject) => {
        const stream = sessions[n % sessions.length]?.request(headers)
        if (stream === undefined) return reject(new RangeError('no connection'))
        let status = 0
        stream.once('response', (answer) => {
          status = Number(answer[':status'])
        })
        stream.once('end', () => resolve(status))
        stream.once('error', reject)
        stream.resume()
        stream.end(body)
      }),
    close: () => {
      for (const session of sessions) session.close()
    },
  }
}
