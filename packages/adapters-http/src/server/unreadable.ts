import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { SECURITY } from '../answers/security.ts'
import { PROBLEM_TYPE, type Problem, problemBody } from '../problems/problem.ts'
import { API_VERSION } from './version.ts'

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

/** What cannot be read as HTTP gets a problem too, and the connection ends (I1). */
export const answerUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
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
