import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The steps of a graceful shutdown, before the server is closed. Each may be left out. */
export interface GracefulShutdown {
  /** Reports the server as not ready (I3) and closes each connection with its next response. Requests are served as before. */
  readonly startDraining: () => void
  /**
   * Accepts no more connections. Open ones stay until their next response is sent or their client closes them, so that no request meets a
   * connection that is being closed. Resolves when the last is closed.
   */
  readonly stopAccepting: () => Promise<void>
  /** Returns whether the server is draining. */
  readonly isDraining: () => boolean
  /** Returns whether each connection is closed with its next response. */
  readonly isEnding: () => boolean
  /** Registers a function that is called once, when connections begin to be closed: responses without an end have to end then. */
  readonly onEnding: (listener: () => void) => void
  /** Has to be called after each response that is sent without Fastify. */
  readonly afterResponse: () => void
}

/**
 * Returns a function that closes connections on which nothing has arrived yet, as browsers open them in advance. Node 24 waits a minute for
 * each when a server is closed.
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
 * Adds the hooks that close each connection with the response under way when the server stops, so that stopping takes no longer than the
 * requests that run. Fastify itself closes idle connections.
 */
export const addGracefulShutdown = (app: FastifyInstance): GracefulShutdown => {
  let [draining, ending, stopping] = [false, false, false]
  const listeners = new Set<() => void>()
  const end = () => {
    ending = true
    for (const listener of listeners) listener()
    listeners.clear()
  }
  let ended: Promise<void> | undefined
  const closeUnused = unusedConnections(app.server)
  app.addHook('preClose', async () => {
    end()
    stopping = true
    closeUnused()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (ending) reply.header('Connection', 'close')
    done(null, payload)
  })
  // Responses whose header fields had been sent before could not close their connection.
  const afterResponse = () => {
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  }
  app.addHook('onResponse', (_request, _reply, done) => {
    afterResponse()
    done()
  })
  // Fastify would not wait for requests that run on a server that no longer listens.
  app.addHook('onClose', () => ended)
  return {
    startDraining: () => {
      draining = true
      end()
    },
    stopAccepting: () => {
      end()
      // The HTTP server's own `close` would also close idle connections, on which a request may be on its way.
      ended ??= new Promise((resolve) => {
        Server.prototype.close.call(app.server, () => resolve())
      })
      return ended
    },
    isDraining: () => draining,
    isEnding: () => ending,
    onEnding: (listener) => {
      listeners.add(listener)
    },
    afterResponse,
  }
}
