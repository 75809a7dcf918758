import { join } from 'node:path'
import {
  isMediaName,
  isPortfolioImageName,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
} from '@almoner/domain'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** An SVG is a document: opened by itself it may show what it draws, and run, load or open nothing. */
const SVG_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const FOREVER: FastifyStaticOptions = {
  decorateReply: false,
  index: false,
  list: false,
  dotfiles: 'ignore',
  redirect: false,
  maxAge: '365d',
  immutable: true,
  setHeaders: (reply, path) => {
    reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
    if (path.endsWith('.svg')) reply.header('Content-Security-Policy', SVG_SECURITY)
  },
}

/** Serves stored images: by name, never listed, for ever the same (D2). The portfolio's lie in folders below (H1). */
export const serveMedia = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(fastifyStatic, {
    ...FOREVER,
    root: folder,
    prefix: MEDIA_PATH,
    allowedPath: (path) => isMediaName(path.slice(1)),
  })
  for (const kind of PORTFOLIO_IMAGE_KINDS)
    await app.register(fastifyStatic, {
      ...FOREVER,
      root: join(folder, 'portfolio', kind),
      prefix: `${PORTFOLIO_IMAGE_PATH}${kind}/`,
      allowedPath: (path) => isPortfolioImageName(path.slice(1)),
    })
}
