import type { FastifyInstance } from 'fastify'
import { serveFolder } from './media/folder.ts'
import { serveFiles } from './media/routes.ts'
import type { MediaSource } from './media/source.ts'

/** Serves stored images, wherever they come from. */
export const serveMedia = async (app: FastifyInstance, source: MediaSource): Promise<void> => {
  if (source.kind === 'folder') await serveFolder(app, source.folder)
  else serveFiles(app, source)
}
