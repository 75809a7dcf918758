import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How a server goes, step by step, before it is closed. No step is needed. */
export interface Leaving {
  /** From now on it calls itself not ready (I3), and each connection ends with its next answer. Requests are taken as before. */
  readonly announce: () => void
  /**
   * Takes no more connections. Those that are there stay until their next answer has been given or their client ends them: nobody's
   * request meets a connection that is being closed. Resolves when the last has ended.
   */
  readonly takeNoMore: () => Promise<void>
  /** Whether it has been said that the server will stop. */
  readonly isAnnounced: () => boolean
  /** Whether each connection is to end with its next answer. */
  readonly isEnding: () => boolean
  /** To be told of every answer that Fastify does not know of, once it has gone out. */
  readonly answered: () => void
}

/**
 * Returns what closes the connections on which nothing has arrived yet, as browsers open them in advance. Node 24 waits a minute for each when a
 * server is closed.
 */
const unusedConnections = (server: Server): (() => void) => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/**
 * Ends each connection with the answer that is under way on it when the server begins to stop, so that stopping takes no longer
 * than what runs. Idle connections are closed by Fastify itself.
 */
export const endConnectionsWhenStopping = (app: FastifyInstance): Leaving => {
  let [announced, ending, stopping] = [false, false, false]
  let ended: Promise<void> | undefined
  const closeUnused = unusedConnections(app.server)
  app.addHook('preClose', async () => {
    ending = true
    stopping = true
    closeUnused()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (ending) reply.header('Connection', 'close')
    done(null, payload)
  })
  // Answers whose headers had gone out before could not say so.
  const answered = () => {
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  }
  app.addHook('onResponse', (_request, _reply, done) => {
    answered()
    done()
  })
  // Fastify would not wait for what runs on a server that does not listen any more.
  app.addHook('onClose', () => ended)
  return {
    announce: () => {
      announced = true
      ending = true
    },
    takeNoMore: () => {
      ending = true
      // The HTTP server's own `close` would also close idle connections, on which a request may be on its way.
      ended ??= new Promise((resolve) => {
        Server.prototype.close.call(app.server, () => resolve())
      })
      return ended
    },
    isAnnounced: () => announced,
    isEnding: () => ending,
    answered,
  }
}
