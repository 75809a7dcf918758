import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { stateOf } from '../request/state.ts'

/**
 * One line an answer. A request is named by its route's pattern: addresses as they were sent may hold tokens, secrets or people,
 * in the query, in the path, or in a path that does not exist, and so are never logged (A5).
 */
export const logAnswers = (app: FastifyInstance, logger: Logger): void => {
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, cause } = stateOf(request)
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.is404 ? undefined : request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client: caller?.clientId,
    }
    if (cause === undefined) logger.info(line, 'answered')
    else logger.error({ ...line, err: cause }, 'failed')
  })
  app.addHook('onRequestAbort', async (request: FastifyRequest) => {
    logger.info({ requestId: request.id, method: request.method }, 'aborted by the caller')
  })
}
