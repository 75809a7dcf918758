import type { FastifyInstance } from 'fastify'
import { decorateRequest } from '../request-context.ts'
import { serveFolder } from './folder.ts'
import { serveFiles } from './routes.ts'
import type { MediaSource } from './source.ts'

/** Serves stored images from any source. */
export const serveImages = async (app: FastifyInstance, source: MediaSource): Promise<void> => {
  if (source.kind === 'folder') await serveFolder(app, source.folder)
  else serveFiles(app, source)
}

/**
 * Stored images as a Fastify plugin, to be registered under the same prefix as the API: `mediaAddressesBelow` makes their URLs of the base
 * URL and that prefix (D2, H1). For unknown names the application's own not-found handler runs.
 */
export const images = (source: MediaSource) => async (app: FastifyInstance) => {
  decorateRequest(app)
  // A whole server sends it with every response; another application may not.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  await serveImages(app, source)
}
