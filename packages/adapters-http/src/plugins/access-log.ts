import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type IsIdle, TIMED_OUT } from '../lifecycle/idle-connections.ts'
import { loggedError } from '../logged-error.ts'
import { broughtBy } from '../request/request-values.ts'
import { patternOf, stateOf } from '../request-context.ts'

/**
 * What a line says of a request. It is named by its route's pattern: addresses as they were sent may hold tokens, secrets or
 * people, in the query, in the path, or in a path that does not exist, and so are never logged (A5).
 */
const lineOf = (request: FastifyRequest) => ({
  requestId: request.id,
  method: request.method,
  route: patternOf(request),
  client: stateOf(request).caller?.clientId,
})

/** What went wrong on our side, without anything that the request brought: a driver may repeat what it was given (A5). */
const faultOf = (request: FastifyRequest, cause: unknown) => ({
  ...lineOf(request),
  err: loggedError(cause, broughtBy(request)),
})

/** One line an answer, with what went wrong if it is the service's fault. */
export const logAnswers = (app: FastifyInstance, logger: Logger, isIdle: IsIdle): void => {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { cause } = stateOf(request)
    if (cause === undefined && !logger.isLevelEnabled('info')) return done()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const outcome = { status: reply.statusCode, ms }
    if (cause === undefined) logger.info({ ...lineOf(request), ...outcome }, 'answered')
    else logger.error({ ...faultOf(request, cause), ...outcome }, 'failed')
    done()
  })
  // A fault in the middle of a streamed answer ends the connection too, and must not pass for the caller's going. The answer tells, as a
  // request without a body has no events of its own (`optimizeEmptyRequests`), which onRequestAbort waits for.
  app.addHook('onRequest', (request: FastifyRequest, { raw }, done) => {
    raw.once('close', () => {
      if (raw.writableFinished) return
      const { cause } = stateOf(request)
      if (cause === undefined)
        logger.info(lineOf(request), isIdle(request.raw) ? TIMED_OUT : 'aborted by the caller')
      else logger.error(faultOf(request, cause), 'failed while answering')
    })
    done()
  })
}
