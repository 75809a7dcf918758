import type { FastifyInstance } from 'fastify'
import { badRequest, type Problem, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'

const NO_HOST = badRequest('Send the header field Host.')

const STOPPING: Problem = {
  code: 'unavailable',
  detail: 'The service is stopping. Please try again.',
  headers: { 'Retry-After': '5' },
}

/** The catch-all of the CORS plugin, which is there to let its hook see every OPTIONS. */
const CATCH_ALL = '*'

/**
 * Refuses, before any body is looked at, what no route is to see: HTTP/1.1 without Host, paths that are not known (B3), and what
 * still comes on open connections while the server stops.
 */
export const refuseEarly = (app: FastifyInstance): void => {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  // Connections that were busy when the server began to stop end with their answers.
  app.addHook('onSend', async (_, reply) => {
    if (stopping) reply.header('Connection', 'close')
  })
  app.addHook('onResponse', async () => {
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  })
  app.addHook('onRequest', async (request, reply) => {
    const { httpVersion, headers } = request.raw
    if (stopping) return sendProblem(request, reply, STOPPING)
    if (httpVersion === '1.1' && headers.host === undefined) return sendProblem(request, reply, NO_HOST)
    if (request.is404 || request.routeOptions.url === CATCH_ALL)
      return sendProblem(request, reply, UNKNOWN_PATH)
  })
}
