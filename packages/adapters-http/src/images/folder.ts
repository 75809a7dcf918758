import { join, resolve } from 'node:path'
import {
  isMediaName,
  isPortfolioImageName,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
} from '@almoner/domain/media'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { IMMUTABLE_SECONDS, imageHeaders } from './send-file.ts'

const OPTIONS: FastifyStaticOptions = {
  decorateReply: false,
  index: false,
  list: false,
  dotfiles: 'ignore',
  redirect: false,
  maxAge: `${IMMUTABLE_SECONDS}s`,
  immutable: true,
  setHeaders: (reply, path) => {
    for (const [name, value] of Object.entries(imageHeaders(path))) reply.header(name, value)
  },
}

/** Serves the images of a folder by name, never listed (D2). Portfolio images are in folders below it (H1). */
export const serveFolder = async (app: FastifyInstance, folder: string): Promise<void> => {
  // Relative to the working directory, as for the adapter that writes the files.
  const root = resolve(folder)
  await app.register(fastifyStatic, {
    ...OPTIONS,
    root,
    prefix: MEDIA_PATH,
    allowedPath: (path) => isMediaName(path.slice(1)),
  })
  for (const kind of PORTFOLIO_IMAGE_KINDS)
    await app.register(fastifyStatic, {
      ...OPTIONS,
      root: join(root, 'portfolio', kind),
      prefix: `${PORTFOLIO_IMAGE_PATH}${kind}/`,
      allowedPath: (path) => isPortfolioImageName(path.slice(1)),
    })
}
