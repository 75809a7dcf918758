import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { plainForwardedFor } from '@almoner/domain/access'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { PROBLEM_TYPE, type Problem, problemBody } from '../problems/problem.ts'
import { faultOfQuery, isOwnQuery, readQuery } from '../request/parameters.ts'
import { targetOf } from '../request-context.ts'
import { API_VERSION, SECURITY_HEADERS } from '../responses/headers.ts'

/** Returns whether the connection of a request was closed because nothing moved on it for too long. */
export type IsIdle = (request: IncomingMessage) => boolean

/** The log message of a response whose connection was idle for too long: the server closed it, not the client. */
export const TIMED_OUT = 'cut off: nothing moved on the connection for too long'

/** Times that a connection may be idle while its client waits for us: no request takes a quarter of an hour. */
const MOST_WAITS = 15

/**
 * Closes idle connections, as Node does, and remembers them for the log. A connection whose client waits for us is not idle: requests wait for
 * their turn or are worked on within limits of their own, and bodies arrive within those of A9.
 * @param owedResponse returns the response that a connection waits for, of which nothing has been sent
 */
export const closeIdleConnections = (
  server: Server,
  owedResponse: (socket: Socket) => ServerResponse | undefined,
): IsIdle => {
  const closed = new WeakSet<Socket>()
  const waits = new WeakMap<ServerResponse, number>()
  const mayWait = (response: ServerResponse): boolean => {
    const count = (waits.get(response) ?? 0) + 1
    waits.set(response, count)
    return count <= MOST_WAITS
  }
  server.on('timeout', (socket: Socket) => {
    const response = owedResponse(socket)
    if (response !== undefined && mayWait(response))
      return socket.setTimeout(socket.timeout ?? server.timeout)
    closed.add(socket)
    return socket.destroy()
  })
  return ({ socket }) => closed.has(socket)
}

/** Responses that wait for earlier ones on their connection. */
const queued = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Makes a response that waits for earlier ones emit `close` when its connection closes, as others do: work and places that end with the response
 * rely on it. Node does so from version 24 on, in the same turn of the event loop.
 */
export const closeWithConnection = ({ socket }: IncomingMessage, response: ServerResponse): void => {
  if (response.socket !== null) return
  const responses = queued.get(socket) ?? new Set()
  if (!queued.has(socket)) {
    queued.set(socket, responses)
    socket.once('close', () =>
      setImmediate(() => {
        for (const one of responses) if (!one.closed) Object.assign(one, { destroyed: true }).emit('close')
      }),
    )
  }
  responses.add(response)
  response.once('close', () => responses.delete(response))
}

/** Adds a request listener before the existing ones. */
export const interceptRequests = (
  server: Server,
  intercept: (next: RequestListener) => RequestListener,
): void => {
  for (const next of server.listeners('request') as Array<RequestListener>)
    server.off('request', next).on('request', intercept(next))
}

/** Replaces targets in absolute form before anything else sees them. */
export const readTargets = (server: Server): void =>
  interceptRequests(server, (next) => (request, response) => {
    request.url = targetOf(request)
    next(request, response)
  })

/** Matches a host with or without a port, or nothing (RFC 9112 §3.2). A comma joins what were two fields. */
const HOST = /^(?:\[[^\]\s]*\]|[^\s:/?#@,[\]\\]*)(?::\d*)?$/

/** Returns whether a request has one Host, and a valid one; HTTP/1.0 needs none (RFC 9112 §3.2). */
export const hasValidHost = ({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  if (host === undefined) return httpVersion !== '1.1'
  let fields = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') fields += 1
  return fields === 1 && HOST.test(host)
}

/** Responses that may wait on a connection for earlier ones. Usual clients let none wait. */
const PIPELINED = 16

/**
 * Closes connections on which too many responses wait. Node reads pipelined requests as they come and keeps their responses in memory, so
 * that kilobytes of requests could make it hold gigabytes.
 */
export const limitPipelining = (server: Server): void => {
  const waiting = new WeakMap<Socket, number>()
  const add = (socket: Socket, many: number): number => {
    const count = (waiting.get(socket) ?? 0) + many
    waiting.set(socket, count)
    return count
  }
  const isTooMany = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    // A response has a connection as soon as none is before it.
    if (response.socket !== null) return false
    closeWithConnection(request, response)
    response.once('close', () => add(socket, -1))
    if (add(socket, 1) <= PIPELINED) return false
    socket.destroy()
    return true
  }
  interceptRequests(server, (next) => (request, response) => {
    if (!request.socket.destroyed && !isTooMany(request, response)) next(request, response)
  })
}

const STATUS_LINES = {
  headers_too_large: '431 Request Header Fields Too Large',
  request_timeout: '408 Request Timeout',
  invalid_request: '400 Bad Request',
}

type ClientError = Problem & { readonly code: keyof typeof STATUS_LINES }

/** By the codes of Node's parser and server. */
const PROBLEM_OF: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The header fields are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request was not whole in time.' },
}

const INVALID_HTTP: ClientError = { code: 'invalid_request', detail: 'The request is not valid HTTP.' }

/** The error of Node's parser, with the bytes in which it occurred. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/**
 * Returns the CORS header fields of a problem whose request could not be read. The origin is among the last bytes if at all; a problem holds
 * nothing that another page may not read.
 */
const corsOf = ({ rawPacket }: ParserError, [only, ...others]: ReadonlyArray<string>) => {
  if (only === undefined) return {}
  const isSent = (origin: string): boolean => rawPacket?.includes(` ${origin}\r\n`) === true
  const sender = others.length === 0 ? only : ([only, ...others].find(isSent) ?? '*')
  return {
    'Access-Control-Allow-Origin': sender,
    'Access-Control-Expose-Headers': 'API-Version, X-Request-Id',
  }
}

/** Writes a problem on a connection that has no response under way, and closes it. */
const writeProblem = (error: ParserError, socket: Socket, corsOrigins: ReadonlyArray<string>): void => {
  const problem = PROBLEM_OF[error.code ?? ''] ?? INVALID_HTTP
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = {
    'X-Request-Id': requestId,
    'API-Version': API_VERSION,
    ...SECURITY_HEADERS,
    ...corsOf(error, corsOrigins),
    'Cache-Control': 'no-store',
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': body.length,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${STATUS_LINES[problem.code]}`, ...lines, '', body].join('\r\n'))
}

/**
 * Creates the handler of invalid HTTP: it responds with a problem and closes the connection (I1). The problem follows the responses to
 * pipelined requests before the invalid one: written at once, it would end up in the middle of a response.
 * @param corsOrigins origins whose pages may read the problem
 */
export const makeClientErrors = (corsOrigins: ReadonlyArray<string> = []) => {
  const latest = new WeakMap<Socket, readonly [IncomingMessage, ServerResponse]>()
  /** The response of each connection that is sent next, or is being sent: pipelined ones wait behind it. */
  const next = new WeakMap<Socket, ServerResponse>()
  const failed = new WeakSet<Socket>()
  const schedule = (socket: Socket, write: () => void): void => {
    const [request, response] = latest.get(socket) ?? []
    if (request === undefined || response === undefined || response.writableFinished) write()
    else if (request.complete) response.once('close', write)
    // The body of the latest request is invalid: the problem is its response, unless another one has begun.
    else if (response.headersSent) socket.destroySoon()
    else if (response.socket === null) response.once('socket', write)
    else write()
  }
  return {
    /** Remembers the latest request of each connection. Called before any other listener of `request` is added. */
    watch: (server: Server): void => {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request
        latest.set(socket, [request, response])
        if (response.socket !== null) next.set(socket, response)
        else response.once('socket', () => next.set(socket, response))
      })
    },
    /** Returns the response for which a connection waits: its request is being received or worked on, and nothing has been sent. */
    owedResponse: (socket: Socket): ServerResponse | undefined => {
      const response = next.get(socket)
      return response === undefined || response.headersSent ? undefined : response
    },
    /** Handles Node's `clientError`. */
    handle: (error: NodeJS.ErrnoException, socket: Socket): void => {
      // The parser reports every later chunk of the connection, too.
      if (error.code === 'ECONNRESET' || !socket.writable || failed.has(socket)) return
      failed.add(socket)
      schedule(socket, () => {
        if (socket.writable) writeProblem(error, socket, corsOrigins)
      })
    },
  }
}

export type ClientErrors = ReturnType<typeof makeClientErrors>

/**
 * Replaces the addresses of `X-Forwarded-For` by plain ones (A8). Fastify compares them with those of trusted proxies, and returns one as
 * it is: with a port every connection of a client would have another address.
 */
export const readForwardedFor = ({ headers }: Pick<IncomingMessage, 'headers'>): void => {
  const field = headers['x-forwarded-for']
  if (field !== undefined) headers['x-forwarded-for'] = plainForwardedFor(String(field))
}

/** Reads heads in an application around the API as the whole server does, which has read a part of them before its hooks. */
export const readHead: onRequestHookHandler = (request, reply, done) => {
  closeWithConnection(request.raw, reply.raw)
  readForwardedFor(request.raw)
  request.raw.url = targetOf(request.raw)
  // The application may read queries in another way.
  if (!isOwnQuery(request.query)) request.query = readQuery(request.url.split('?', 2)[1] ?? '')
  done(faultOfQuery(request.query))
}

/** Returns the path of the service's public URL, as `/almoner`; empty for a URL without one (M13). */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '')

/** Returns a page whose links and files, which begin with `path`, are below the path of the public URL (M13). */
export const withBasePath = (html: string, path: string, baseUrl: string): string => {
  const basePath = basePathOf(baseUrl)
  return basePath === ''
    ? html
    : html.replaceAll(`="${path}`, () => `="${basePath.replaceAll('&', '&amp;')}${path}`)
}

const firstSegment = (path: string): string => path.split(/[/?]/, 2)[1] ?? ''

/** Collects the first segments of all routes that an application will have. */
export const collectFirstSegments = (app: FastifyInstance): ReadonlySet<string> => {
  const segments = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    segments.add(firstSegment(url))
  })
  return segments
}

/**
 * Takes the path of the public URL off requests, so that a proxy may hand it on or take it off itself (M13). A path that begins as one of the
 * service's own, such as `/library`, stays: the proxy must take it off, because the two cannot be distinguished.
 */
export const takeOffBasePath = (server: Server, baseUrl: string, own: ReadonlySet<string>): void => {
  const path = basePathOf(baseUrl)
  if (path === '' || own.has(firstSegment(path))) return
  interceptRequests(server, (next) => (request, response) => {
    const { url = '/' } = request
    const isBelow = url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length))
    if (isBelow) request.url = url.slice(path.length).replace(/^(?!\/)/, '/')
    next(request, response)
  })
}
