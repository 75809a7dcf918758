import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEM_TYPE, type Problem, problemBody } from '../problems/problem.ts'
import { SECURITY } from '../responses/security-headers.ts'
import { API_VERSION } from '../version.ts'

/** What every answer of the server carries. */
export const commonHeaders = (requestId: string) => ({
  'X-Request-Id': requestId,
  'API-Version': API_VERSION,
})

const STATUS_LINES = {
  headers_too_large: '431 Request Header Fields Too Large',
  request_timeout: '408 Request Timeout',
  invalid_request: '400 Bad Request',
}

type Unreadable = Problem & { readonly code: keyof typeof STATUS_LINES }

/** By the codes of Node's parser and server. */
const PROBLEM_OF: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The header fields are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request was not whole in time.' },
}

const problemOf = (code = ''): Unreadable =>
  PROBLEM_OF[code] ?? { code: 'invalid_request', detail: 'The request is not valid HTTP.' }

/** Writes a problem on a connection that has no answer under way, and ends it. */
const writeProblem = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const problem = problemOf(error.code)
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = {
    ...commonHeaders(requestId),
    ...SECURITY,
    'Cache-Control': 'no-store',
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': body.length,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${STATUS_LINES[problem.code]}`, ...lines, '', body].join('\r\n'))
}

/** Answers what cannot be read as HTTP with a problem, and ends the connection (I1). */
export interface ClientErrors {
  /** Handles Node's `clientError`. */
  readonly answer: (error: NodeJS.ErrnoException, socket: Socket) => void
  /** Notes which request of each connection is the latest. Called before any other listener of `request` is added. */
  readonly watch: (server: Server) => void
}

/**
 * Makes the handler of unreadable requests. Where requests are pipelined, the problem follows the answers to those before the unreadable one:
 * written at once, it would stand in the middle of an answer.
 */
export const makeClientErrors = (): ClientErrors => {
  const latest = new WeakMap<Socket, readonly [IncomingMessage, ServerResponse]>()
  const failed = new WeakSet<Socket>()
  const answer = (socket: Socket, write: () => void): void => {
    const [request, response] = latest.get(socket) ?? []
    if (request === undefined || response === undefined || response.writableFinished) write()
    else if (request.complete) response.once('close', write)
    // The body of the latest request is what cannot be read: the problem answers it, unless its own answer has begun.
    else if (response.headersSent) socket.destroySoon()
    else if (response.socket === null) response.once('socket', write)
    else write()
  }
  return {
    watch: (server) => {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
        latest.set(request.socket, [request, response]),
      )
    },
    answer: (error, socket) => {
      // The parser reports every later chunk of the connection, too.
      if (error.code === 'ECONNRESET' || !socket.writable || failed.has(socket)) return
      failed.add(socket)
      answer(socket, () => {
        if (socket.writable) writeProblem(error, socket)
      })
    },
  }
}
