import type { Ports } from '@almoner/domain'
import { DEFAULT_POLICY } from '@almoner/domain'
import { makeFindSession } from '@almoner/domain/access'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'

interface Copy {
  readonly contentType: string
  readonly baseETag: string
  readonly fields: string
}

const addCopies = (app: FastifyInstance): void => {
  const copies = new Map<string, Copy & { readonly updatedAt: string }>()
  app.get('/copies', async () => ({
    copies: [...copies].map(([key, { contentType, updatedAt, fields }]) => ({
      copy: { key, contentType, updatedAt, baseRevision: null, title: JSON.parse(fields).itemTitle },
    })),
  }))
  app.get<{ Params: { key: string } }>('/copies/:key', async ({ params: { key } }, reply) => {
    const copy = copies.get(key)
    return copy === undefined ? reply.code(404).send({}) : { copy: { key, ...copy } }
  })
  app.put<{ Params: { key: string }; Body: Copy }>('/copies/:key', async ({ params: { key }, body }) => {
    const copy = { ...body, updatedAt: new Date().toISOString() }
    copies.set(key, copy)
    return { copy: { key, ...copy } }
  })
  app.delete<{ Params: { key: string } }>('/copies/:key', async ({ params: { key } }, reply) =>
    reply.code(copies.delete(key) ? 200 : 404).send({}),
  )
}

/** The console's routes that another branch brings, in memory. */
export const comingRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const find = makeFindSession(ports, DEFAULT_POLICY)
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (request, reply) => {
          const secret = /almoner=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
          if (E.isLeft(await find(secret)())) return reply.code(401).send({})
          return undefined
        })
        addCopies(scope)
      },
      { prefix: '/console/api' },
    )
  }
