import type { FastifyRequest } from 'fastify'
import { loggedError } from '../../logged-error.ts'
import { valuesOf } from '../../request/request-values.ts'
import { contextOf, patternOf } from '../../request-context.ts'

/** Logs a fault with the application's logger, without any value of the request (A5). */
export const logFault = (cause: unknown, request: FastifyRequest): void => {
  request.log.error(
    {
      route: patternOf(request),
      client: contextOf(request).caller?.clientId,
      err: loggedError(cause, valuesOf(request)),
    },
    'almoner failed to serve a request',
  )
}

const shownRequest = (request: FastifyRequest) => ({
  method: request.method,
  url: patternOf(request),
  host: request.host,
  remoteAddress: request.ip,
})

/**
 * Serializers for the application's logger, for requests of the API: the pattern of the route stands for the URL, which may hold tokens and
 * emails (A5). Fastify's type wants strings, although its own serializer returns an object.
 */
export const LOG_SERIALIZERS = { req: shownRequest as unknown as (request: FastifyRequest) => string }
