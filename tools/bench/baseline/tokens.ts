import type { FastifyInstance } from 'fastify'

/** What a token allows. */
export interface Grant {
  readonly token: string
  /** Whether it sees Drafts and may write. */
  readonly manager: boolean
}

/**
 * Lets nobody in without a token in the query. Tokens stand in a Map: nothing is quicker, and nothing less is asked of a service's
 * token. Callbacks cost less than promises.
 */
export const checkTokens = (app: FastifyInstance, grants: ReadonlyArray<Grant>): void => {
  const known = new Map(grants.map((grant) => [grant.token, grant]))
  app.decorateRequest('manager', false)
  app.addHook<{ Querystring: { access_token?: string } }>('onRequest', (request, reply, done) => {
    const grant = known.get(request.query.access_token ?? '')
    if (grant === undefined) {
      reply.code(401).send({ error: 'invalid_token' })
      return
    }
    request.manager = grant.manager
    done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the caller's token is a content manager's. */
    manager: boolean
  }
}
