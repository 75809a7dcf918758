import { once } from 'node:events'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../tls/authority.ts'
import { reply, type ScriptedResponse } from './answer.ts'
import { makeConnections } from './connections.ts'
import { type Front, openFront } from './front.ts'
import { send } from './send.ts'

/** A request before anybody has made sense of it. */
export interface Raw {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** What came, up to {@link MOST_BYTES}. */
  readonly body: Buffer
  /** The same object for all requests of one connection. */
  readonly connection: object
}

/** More than any provider takes; what goes beyond is read and thrown away. */
export const MOST_BYTES = 65_536

/** What a server on loopback is opened with. */
export interface Listening {
  readonly certificate: Certificate
  /** Any free one when left out. */
  readonly port?: number
  /** Whether it stands behind a proxy that can lose connections silently. */
  readonly isFreezable?: boolean
}

/** A server that can go down and come back at the same place. */
export interface Loopback {
  /** `https://127.0.0.1:PORT`, which stays the same. */
  readonly origin: string
  /** How many connections are open. */
  connections(): number
  /** Drops every connection and takes no more. Stopping twice is the same as once. */
  stop(): Promise<void>
  /** Listens again, at the same port. Starting twice is the same as once. */
  start(): Promise<void>
  /** The proxy before it, if it {@link Listening.isFreezable}. */
  readonly front: Omit<Front, 'port'>
}

interface Kind {
  /** Whether HTTP/1.1 is spoken too, as its client may choose while the connection is made. */
  readonly http1: boolean
  readonly streams: number
}

/** By events, as reading a stream by `for await` takes as long as all the rest. Rejects when the client goes before it has said all. */
const bodyOf = (request: Http2ServerRequest): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      if (length < MOST_BYTES) chunks.push(chunk)
      length += chunk.length
    })
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    for (const event of ['aborted', 'error', 'close']) request.once(event, reject)
  })

export interface OpenLoopback extends Loopback {
  /** Sets the request handler. It is set after listening, because it may need the address. */
  serveBy(handler: (raw: Raw) => Promise<ScriptedResponse>): void
}

/** Listens on loopback with TLS, over HTTP/2 and perhaps HTTP/1.1. */
export const listen = async (
  { certificate, port = 0, isFreezable = false }: Listening,
  { http1, streams }: Kind,
): Promise<OpenLoopback> => {
  const connections = makeConnections()
  let serve = async (_raw: Raw): Promise<ScriptedResponse> => reply(503)

  const handle = async (request: Http2ServerRequest): Promise<ScriptedResponse | undefined> => {
    const body = await bodyOf(request).catch(() => undefined)
    // The client has gone before it had said all.
    if (body === undefined) return undefined
    const { method, url: path, headers } = request
    const connection = request.stream?.session ?? request.socket
    return serve({ method, path, headers, body, connection })
  }

  const open = (): Http2SecureServer => {
    const server = createSecureServer({
      ...certificate,
      allowHTTP1: http1,
      settings: { maxConcurrentStreams: streams },
    })
    connections.watch(server)
    server.on('request', async (request, response) => {
      // A client that takes a request back while it is being thought about.
      request.on('error', () => {})
      const answer = await handle(request)
      if (answer !== undefined) send(answer, request, response, connections.of(request))
    })
    return server
  }

  let server: Http2SecureServer | undefined
  let place = isFreezable ? 0 : port
  const start = async (): Promise<void> => {
    if (server !== undefined) return
    server = open()
    server.listen(place, '127.0.0.1')
    await once(server, 'listening')
    place = (server.address() as AddressInfo).port
  }
  await start()
  const front = isFreezable ? await openFront(() => place, port) : undefined

  return {
    origin: `https://127.0.0.1:${front?.port ?? place}`,
    front: front ?? { freeze: () => {}, freezeNew: () => {}, close: () => {} },
    connections: connections.size,
    serveBy: (handler) => {
      serve = handler
    },
    start,
    stop: async () => {
      const closing = server
      server = undefined
      if (closing === undefined) return
      const closed = once(closing, 'close')
      closing.close()
      connections.drop()
      await closed
    },
  }
}
