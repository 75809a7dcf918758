import type { ServerResponse } from 'node:http'
import type { ItemId, Ports } from '@almoner/domain'
import { DEFAULT_POLICY } from '@almoner/domain'
import { makeFindSession } from '@almoner/domain/access'
import { done } from '@almoner/domain/contracts'
import type { FeedItem } from '@almoner/domain/feed'
import type { LibraryItem } from '@almoner/domain/library'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

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

const addReaders = (app: FastifyInstance, ports: Ports): void => {
  for (const contentType of ['library', 'feed'] as const)
    app.get<{ Params: { id: ItemId } }>(`/${contentType}/:id/readers`, async ({ params }) => {
      const items: { find: typeof ports.libraryItems.find | typeof ports.feedItems.find } =
        contentType === 'library' ? ports.libraryItems : ports.feedItems
      const item = O.toUndefined<LibraryItem | FeedItem>(await done(items.find(params.id)))
      const sees = (role: string) =>
        role === 'content-manager' ||
        (item?.status === 'Live' && !(item.isDonorRestricted && role === 'user'))
      return {
        readers: ['user', 'user-donor', 'content-manager'].flatMap((role) =>
          ['en', 'fr'].map((lang) => ({
            reader: { role, lang, visible: item?.lang === lang && sees(role) },
          })),
        ),
      }
    })
}

const addEvents = (app: FastifyInstance): void => {
  const streams = new Set<ServerResponse>()
  app.server.on('request', ({ method }, response) =>
    response.on('finish', () => {
      if (method !== 'GET') for (const stream of streams) stream.write('event: change\ndata:\n\n')
    }),
  )
  app.get('/events', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.add(reply.raw)
    reply.raw.on('close', () => streams.delete(reply.raw))
  })
}

/** What the desk shows in tests. */
const DESK = {
  waiting: 2,
  oldestWaiting: '2026-04-30T12:00:00Z',
  lacking: { en: 0, fr: 1 },
  older: 1,
  today: [
    { notificationId: '1', lang: 'en', title: 'A well', sendAt: '2026-05-01T14:00:00Z', state: 'scheduled' },
  ],
  failed: [{ notificationId: '2', title: 'A school', reason: 'The provider refused our key.' }],
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
        addReaders(scope, ports)
        addEvents(scope)
        scope.get('/desk', async () => ({ desk: DESK }))
      },
      { prefix: '/console/api' },
    )
  }
