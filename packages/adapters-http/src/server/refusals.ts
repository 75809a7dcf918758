import type { FastifyInstance } from 'fastify'
import { badRequest, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import type { Refuse } from './methods.ts'

const NO_HOST = badRequest('Send the header field Host.')

/** The catch-all of the CORS plugin, which is there to let its hook see every OPTIONS. */
const CATCH_ALL = '*'

/**
 * Refuses, before any body is looked at, what no route is to see: HTTP/1.1 without Host, paths that are not known, and methods that a path
 * does not take (B3).
 */
export const refuseEarly = (app: FastifyInstance, refuse: Refuse): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) sendProblem(request, reply, NO_HOST)
    else if (!request.is404 && request.routeOptions.url !== CATCH_ALL) done()
    else if (!refuse(request, reply)) sendProblem(request, reply, UNKNOWN_PATH)
  })
}
