import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { Grant } from '../dataset.ts'

/** Resolves with the message that starts this process. */
export const received = async <A>(): Promise<A> => {
  const [message] = await once(process, 'message')
  return message as A
}

/** Listens on a free port of loopback, reports its URL, and ends when the parent disconnects. */
export const listen = async (app: FastifyInstance): Promise<void> => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(url)
  process.once('disconnect', () => process.exit())
}

/** Rejects requests without a known token in the query. A Map and a callback are the fastest check there is. */
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
    /** Whether the token is a content manager's. */
    manager: boolean
  }
}
