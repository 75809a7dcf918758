import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type IsIdle, TIMED_OUT } from '../lifecycle/connections.ts'
import { loggedError } from '../logged-error.ts'
import { valuesOf } from '../request/parameters.ts'
import { contextOf, patternOf, SIGN_IN_REFUSED } from '../request-context.ts'

/**
 * Returns the fields of a request in the log. The route's pattern stands for the URL, which may hold tokens, secrets or emails in its
 * query or path, even if there is no such path (A5).
 */
const lineOf = (request: FastifyRequest) => ({
  requestId: request.id,
  method: request.method,
  route: patternOf(request),
  client: contextOf(request).caller?.clientId,
})

/** Adds the cause, without any value of the request: a driver may repeat its parameters (A5). */
const faultOf = (request: FastifyRequest, cause: unknown) => ({
  ...lineOf(request),
  err: loggedError(cause, valuesOf(request)),
})

/** Writes one line for each response, with the cause of a fault of the service. */
export const addAccessLog = (app: FastifyInstance, logger: Logger, isIdle: IsIdle): void => {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { cause, refusal } = contextOf(request)
    if (cause === undefined && refusal === undefined && !logger.isLevelEnabled('info')) return done()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const outcome = { status: reply.statusCode, ms }
    if (refusal !== undefined)
      logger.warn({ ...lineOf(request), ...outcome, reason: refusal }, SIGN_IN_REFUSED)
    else if (cause === undefined) logger.info({ ...lineOf(request), ...outcome }, 'answered')
    else logger.error({ ...faultOf(request, cause), ...outcome }, 'failed')
    done()
  })
  // A fault in the middle of a streamed response closes the connection too, and is not an abort. Listens to the response, because a
  // request without a body emits no event (`optimizeEmptyRequests`), for which onRequestAbort waits.
  app.addHook('onRequest', (request: FastifyRequest, { raw }, done) => {
    raw.once('close', () => {
      if (raw.writableFinished) return
      const { cause } = contextOf(request)
      if (cause === undefined)
        logger.info(lineOf(request), isIdle(request.raw) ? TIMED_OUT : 'aborted by the caller')
      else logger.error(faultOf(request, cause), 'failed while answering')
    })
    done()
  })
}
