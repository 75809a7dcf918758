import type { FastifyInstance } from 'fastify'
import { keepStates } from '../request-context.ts'
import { serveFolder } from './folder.ts'
import { serveFiles } from './routes.ts'
import type { MediaSource } from './source.ts'

/** Serves stored images, wherever they come from. */
export const serveMedia = async (app: FastifyInstance, source: MediaSource): Promise<void> => {
  if (source.kind === 'folder') await serveFolder(app, source.folder)
  else serveFiles(app, source)
}

/**
 * Stored images as a Fastify plugin, to be registered under the same prefix as the API: the addresses that `mediaAddressesBelow` makes
 * of the base URL and that prefix are theirs (D2, H1). A name that no image has is not found in the application's own way.
 */
export const images = (source: MediaSource) => async (app: FastifyInstance) => {
  keepStates(app)
  // Of a whole server every answer says so; an application of somebody else's may not.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  await serveMedia(app, source)
}
