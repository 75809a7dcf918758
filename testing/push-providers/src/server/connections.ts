import type { Http2SecureServer, Http2ServerRequest, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** One client's connection. */
export interface Connection {
  /** Ends it without a word, from below TLS. */
  reset(): void
  /** Ends it once no stream of HTTP/2 is open on it. */
  endWhenIdle(): void
}

/** The open connections of a server. */
export interface Connections {
  size(): number
  /** The one that a request came by; undefined when it has gone. */
  of(request: Http2ServerRequest): Connection | undefined
  /** Ends them all at once. */
  drop(): void
  /** Looks after the connections of a server from now on. */
  watch(server: Http2SecureServer): void
}

interface Watched extends Connection {
  /** Counts streams from now on. */
  count(session: ServerHttp2Session): void
  encrypted(socket: TLSSocket): void
  readonly socket: Socket
}

const nothing = (): void => {}

const watched = (socket: Socket): Watched => {
  let tls: TLSSocket | undefined
  let streams = 0
  let isLeaving = false
  const endIfIdle = (): void => {
    // The session would send a second GOAWAY with later requests, which is a protocol error.
    if (isLeaving && streams === 0) tls?.end()
  }
  return {
    socket,
    reset: () => socket.resetAndDestroy(),
    endWhenIdle: () => {
      isLeaving = true
      endIfIdle()
    },
    encrypted: (socket) => {
      tls = socket
    },
    count: (session) => {
      session.on('stream', (stream) => {
        streams += 1
        stream.on('close', () => {
          streams -= 1
          endIfIdle()
        })
      })
    },
  }
}

/** Connections are identified by the client's port, because the sockets in requests cannot be reset. */
export const makeConnections = (): Connections => {
  const open = new Map<number | undefined, Watched>()
  return {
    size: () => open.size,
    of: ({ socket }) => open.get(socket.remotePort),
    drop: () => {
      for (const { socket } of open.values()) socket.destroy()
    },
    watch: (server) => {
      server.on('connection', (socket: Socket) => {
        const { remotePort } = socket
        open.set(remotePort, watched(socket))
        socket.on('close', () => open.delete(remotePort))
        // Connections that break are the client's affair: it sees them break too.
        socket.on('error', nothing)
      })
      server.on('secureConnection', (socket) => open.get(socket.remotePort)?.encrypted(socket))
      server.on('session', (session) => open.get(session.socket.remotePort)?.count(session))
      server.on('sessionError', nothing)
    },
  }
}
