import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { PROBLEM_TYPE, type Problem, problemBody } from '../problems/problem.ts'
import { API_VERSION } from './api.ts'
import { SECURITY } from './security.ts'

/** What every answer of the server carries. */
export const commonHeaders = (requestId: string) => ({
  'X-Request-Id': requestId,
  'API-Version': API_VERSION,
})

const STATUS_LINES = {
  headers_too_large: '431 Request Header Fields Too Large',
  invalid_request: '400 Bad Request',
}

const problemOf = (code: string | undefined): Problem & { readonly code: keyof typeof STATUS_LINES } =>
  code === 'HPE_HEADER_OVERFLOW'
    ? { code: 'headers_too_large', detail: 'The header fields are too large.' }
    : { code: 'invalid_request', detail: 'The request is not valid HTTP.' }

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
