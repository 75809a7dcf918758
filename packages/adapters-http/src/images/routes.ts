import {
  type ImageFile,
  imageFileOf,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
} from '@almoner/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { busy, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { CORP } from './headers.ts'
import { answerWithFile } from './send-file.ts'
import type { Elsewhere, MediaSource } from './source.ts'

/** Each kind of image and the path that it is served under. */
const PLACES = [
  ['upload', MEDIA_PATH],
  ...PORTFOLIO_IMAGE_KINDS.map((kind) => [kind, `${PORTFOLIO_IMAGE_PATH}${kind}/`] as const),
] as const

/** The name that an address ends with. The router drops a slash at the end, behind which there is no image. */
const nameIn = ({ params, url }: FastifyRequest): string => {
  const [path = ''] = url.split('?')
  return path.endsWith('/') ? '' : (params as { readonly '*': string })['*']
}

const sendElsewhere = async (
  { addressOf, lasting }: Elsewhere,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const address = await addressOf(file, request.method === 'HEAD' ? 'HEAD' : 'GET')()
  if (E.isLeft(address)) return sendProblem(request, reply, busy(address.left.cause))
  return reply
    .headers({ ...CORP, 'Cache-Control': lasting === 0 ? 'no-store' : `public, max-age=${lasting}` })
    .redirect(address.right, 302)
}

/** Serves images by name, never listed: their bytes, or where their bytes are (D2, H1). Names are looked at before any store is asked. */
export const serveFiles = (
  app: FastifyInstance,
  source: Exclude<MediaSource, { readonly kind: 'folder' }>,
): void => {
  for (const [kind, prefix] of PLACES)
    app.route({
      method: ['HEAD', 'GET'],
      url: `${prefix}*`,
      handler: async (request, reply) => {
        const file = imageFileOf(kind, nameIn(request))
        if (file === undefined) return sendProblem(request, reply, UNKNOWN_PATH)
        return source.kind === 'files' || file.name.endsWith('.svg')
          ? answerWithFile(source.files, file, request, reply)
          : sendElsewhere(source.elsewhere, file, request, reply)
      },
    })
}
