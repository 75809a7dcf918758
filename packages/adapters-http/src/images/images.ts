import type { Unavailable } from '@almoner/domain'
import { MEDIA_PATH, PORTFOLIO_IMAGE_KINDS, PORTFOLIO_IMAGE_PATH } from '@almoner/domain/media'
import { type ImageFile, type ImageFiles, imageFileOf } from '@almoner/domain/ports'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { busy } from '../problems/problem.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import { serveFolder } from './folder.ts'
import { CORP, sendFile } from './send-file.ts'

/** The method that an image is read by. */
export type ReadMethod = 'GET' | 'HEAD'

/** URLs outside this service from which images are read. */
export interface Elsewhere {
  /** Returns the URL of an image, for one method. The image need not exist. */
  readonly addressOf: (file: ImageFile, method: ReadMethod) => TaskEither<Unavailable, string>
  /** Seconds for which a URL may be cached; 0 if it must not be. */
  readonly lasting: number
}

/** The source of stored images. */
export interface MediaSource {
  readonly files: ImageFiles
  /** The folder of the files, if they are in one: `@fastify/static` then serves them. */
  readonly folder?: string
  /** Redirects to images, except SVGs, which the service serves in a sandbox (H1). */
  readonly elsewhere?: Elsewhere
}

/** Each kind of image and the path that it is served under. */
const PATHS = [
  ['upload', MEDIA_PATH],
  ...PORTFOLIO_IMAGE_KINDS.map((kind) => [kind, `${PORTFOLIO_IMAGE_PATH}${kind}/`] as const),
] as const

/** Returns the name at the end of a URL. The router drops a slash at the end, behind which there is no image. */
const nameIn = ({ params, url }: FastifyRequest): string => {
  const [path = ''] = url.split('?')
  return path.endsWith('/') ? '' : (params as { readonly '*': string })['*']
}

const redirect = async (
  { addressOf, lasting }: Elsewhere,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const address = await addressOf(file, request.method === 'HEAD' ? 'HEAD' : 'GET')()
  if (E.isLeft(address)) return respondWithProblem(request, reply, busy(address.left.cause))
  return reply
    .headers({ ...CORP, 'Cache-Control': lasting === 0 ? 'no-store' : `public, max-age=${lasting}` })
    .redirect(address.right, 302)
}

/** Serves stored images by name, never listed (D2, H1). Names are checked before the store is asked. */
export const serveImages = async (
  app: FastifyInstance,
  { files, folder, elsewhere }: MediaSource,
): Promise<void> => {
  if (folder !== undefined) return serveFolder(app, folder)
  for (const [kind, prefix] of PATHS)
    app.route({
      method: ['HEAD', 'GET'],
      url: `${prefix}*`,
      handler: async (request, reply) => {
        const file = imageFileOf(kind, nameIn(request))
        if (file === undefined) return reply.callNotFound()
        return elsewhere === undefined || file.name.endsWith('.svg')
          ? sendFile(files, file, request, reply)
          : redirect(elsewhere, file, request, reply)
      },
    })
}

/** Serves stored images within another application, under the prefix of the API (D2, H1). */
export const embedImages = async (app: FastifyInstance, source: MediaSource): Promise<void> => {
  // A whole server sends it with every response; another application may not.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  await serveImages(app, source)
}
