import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers that may wait on a connection for the one before them. No usual client lets any wait. */
const WAITING = 16

/**
 * Ends connections on which more requests have come than answers may wait. Node reads requests that are sent without waiting for answers as they
 * come, and holds what is answered in memory, so that some kilobytes of requests could make it hold gigabytes.
 */
export const limitPipelining = (server: Server): void => {
  const waiting = new WeakMap<Socket, number>()
  const add = (socket: Socket, many: number): number => {
    const count = (waiting.get(socket) ?? 0) + many
    waiting.set(socket, count)
    return count
  }
  const isTooMany = ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    // An answer has a connection as soon as none is before it.
    if (response.socket !== null) return false
    response.once('close', () => add(socket, -1))
    if (add(socket, 1) <= WAITING) return false
    socket.destroy()
    return true
  }
  for (const next of server.listeners('request') as Array<RequestListener>)
    server.off('request', next).on('request', (request, response) => {
      if (!request.socket.destroyed && !isTooMany(request, response)) next(request, response)
    })
}
