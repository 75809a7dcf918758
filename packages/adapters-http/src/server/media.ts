import { MEDIA_PATH } from '@almoner/domain'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Serves stored images: by name, never listed, for ever the same (D2). */
export const serveMedia = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: MEDIA_PATH,
    decorateReply: false,
    index: false,
    list: false,
    dotfiles: 'ignore',
    redirect: false,
    maxAge: '365d',
    immutable: true,
    setHeaders: (reply) => {
      reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
    },
  })
}
