import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { patternOf, stateOf } from '../request/state.ts'

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

/** One line an answer, with what went wrong if it is the service's fault. */
export const logAnswers = (app: FastifyInstance, logger: Logger): void => {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { cause } = stateOf(request)
    if (cause === undefined && !logger.isLevelEnabled('info')) return done()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = { ...lineOf(request), status: reply.statusCode, ms }
    if (cause === undefined) logger.info(line, 'answered')
    else logger.error({ ...line, err: cause }, 'failed')
    done()
  })
  // A fault in the middle of a streamed answer ends the connection too, and must not pass for the caller's going.
  app.addHook('onRequestAbort', async (request: FastifyRequest) => {
    const { cause } = stateOf(request)
    if (cause === undefined) logger.info(lineOf(request), 'aborted by the caller')
    else logger.error({ ...lineOf(request), err: cause }, 'failed while answering')
  })
}
