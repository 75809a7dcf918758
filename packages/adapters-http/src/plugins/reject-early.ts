import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { badRequest, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import type { Refuse } from './method-not-allowed.ts'

const NO_HOST = badRequest('Send the header field Host.')

/** The catch-all of the CORS plugin, which is there to let its hook see every OPTIONS. */
const CATCH_ALL = '*'

/** Faults of addresses that the router cannot read, by request. */
export type Unroutable = WeakMap<IncomingMessage, Error>

/**
 * Refuses, before any body is looked at, what no route is to see: HTTP/1.1 without Host, paths that are not known, and methods that a path
 * does not take (B3).
 */
export const refuseEarly = (app: FastifyInstance, refuse: Refuse, unroutable: Unroutable): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw
    const fault = unroutable.get(request.raw)
    if (fault !== undefined) done(fault)
    else if (httpVersion === '1.1' && headers.host === undefined) sendProblem(request, reply, NO_HOST)
    else if (!request.is404 && request.routeOptions.url !== CATCH_ALL) done()
    else if (!refuse(request, reply)) sendProblem(request, reply, UNKNOWN_PATH)
  })
}
