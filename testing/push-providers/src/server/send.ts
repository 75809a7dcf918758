import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { ScriptedResponse } from './answer.ts'
import type { Connection } from './connections.ts'

/**
 * Carries an answer out.
 * @param connection undefined once it is gone
 */
export const send = (
  answer: ScriptedResponse,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  connection: Connection | undefined,
): void => {
  if (answer.kind === 'reply') {
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
    return
  }
  // Over HTTP/1.1 there is no stream; one that has ended has lost its session.
  const session = request.stream?.session
  if (answer.kind === 'cut' || session === undefined) {
    connection?.reset()
    return
  }
  if (answer.kind === 'reset') {
    request.stream.close(answer.code)
    return
  }
  // Clients open streams by odd numbers: two below this one is the last that was looked at.
  const last = Math.max(0, (request.stream.id ?? 0) - 2)
  session.goaway(answer.code, last, Buffer.from(answer.data))
  connection?.endWhenIdle()
}
