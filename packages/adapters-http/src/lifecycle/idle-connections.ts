import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Whether the connection of a request was ended because nothing moved on it for too long. */
export type IsIdle = (request: IncomingMessage) => boolean

/** What the log says of an answer whose connection was idle for too long: the server ended it, not the caller. */
export const TIMED_OUT = 'cut off: nothing moved on the connection for too long'

/** Ends idle connections, as Node does by itself, and remembers them for the log. */
export const endIdleConnections = (server: Server): IsIdle => {
  const ended = new WeakSet<Socket>()
  server.on('timeout', (socket: Socket) => {
    ended.add(socket)
    socket.destroy()
  })
  return ({ socket }) => ended.has(socket)
}
