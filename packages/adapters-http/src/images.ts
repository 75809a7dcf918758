import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import {
  isMediaName,
  isPortfolioImageName,
  isRenditionName,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
  RENDITION_FOLDER,
  type RenderImage,
  type RenditionName,
  type RenditionOutcome,
} from '@almoner/domain/media'
import { type ImageFile, type ImageFiles, imageFileOf } from '@almoner/domain/ports'
import type { FastifyStaticOptions } from '@fastify/static'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { busy } from './problems/problem.ts'
import { problemOfStatus, respondWithProblem, sendProblem } from './problems/send-problem.ts'
import { recordFault } from './request-context.ts'
import { CORP, IMMUTABLE_SECONDS, imageHeaders, sendFile } from './responses/send-image.ts'

const MISSING: RenditionOutcome = { kind: 'missing' }

/** Renditions that could not be stored and are logged already: several requests may share one. */
const loggedUnstored = new WeakSet<RenditionOutcome>()

/** Sends a rendition that the store did not take. The next request makes it again. */
const sendUnstored = (
  outcome: Extract<RenditionOutcome, { readonly kind: 'unstored' }>,
  name: RenditionName,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  if (!loggedUnstored.has(outcome))
    recordFault(request, new Error('a rendition was made and cannot be stored', { cause: outcome.cause }))
  loggedUnstored.add(outcome)
  return reply
    .headers({ ...imageHeaders(name), 'cache-control': `public, max-age=${IMMUTABLE_SECONDS}, immutable` })
    .type('image/webp')
    .send(outcome.bytes)
}

/**
 * Makes a rendition that is not there yet (D8). Resolves to whether it is stored now; else a response was sent: the rendition itself, 404, or 503
 * while too many wait. A broken image is logged once, by the process that finds it so.
 */
const wasMade = async (
  render: RenderImage | undefined,
  name: RenditionName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  const made = await (render?.(name) ?? TE.right(MISSING))()
  if (E.isLeft(made)) {
    respondWithProblem(request, reply, busy(made.left.cause))
    return false
  }
  if (made.right.kind === 'made') return true
  if (made.right.kind === 'unstored') {
    sendUnstored(made.right, name, request, reply)
    return false
  }
  if (made.right.kind === 'broken')
    recordFault(
      request,
      new Error(`no renditions: the stored image ${made.right.original} cannot be decoded`),
    )
  await notFound(request, reply)
  return false
}

const notFound = (request: FastifyRequest, reply: FastifyReply) =>
  sendProblem(request, reply, problemOfStatus(404))

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

/** The name of a rendition at the end of a path, as it is sent. */
const RENDITION_PATH = /\/r\/(\d+\/[^/?]+)(?:\?|$)/

/** Serves the renditions of a folder, and makes them at their first request (D8). */
const serveRenditions = async (
  app: FastifyInstance,
  root: string,
  { files, render }: Pick<MediaSource, 'files' | 'render'>,
): Promise<void> => {
  const folder = join(root, RENDITION_FOLDER)
  await mkdir(folder, { recursive: true }).catch(() => undefined)
  await app.register(
    async (scope) => {
      const make = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const name = RENDITION_PATH.exec(request.url)?.[1] ?? ''
        if (!isRenditionName(name) || !READING.includes(request.method)) return notFound(request, reply)
        if (!(await wasMade(render, name, request, reply))) return reply
        return sendFile(files, { kind: 'rendition', name }, request, reply)
      }
      // Once for all widths: Fastify adds two routes for each method that Node knows.
      scope.setNotFoundHandler(make)
      // `@fastify/static` forbids a file that appears while it looks for it.
      scope.setErrorHandler<FastifyError>((error, request, reply) => {
        if (error.statusCode !== 403) throw error
        return make(request, reply)
      })
      await scope.register(fastifyStatic, {
        ...OPTIONS,
        root: folder,
        prefix: '/',
        allowedPath: (path) => isRenditionName(path.slice(1)),
      })
    },
    { prefix: `${MEDIA_PATH}${RENDITION_FOLDER.slice(0, -1)}` },
  )
}

const READING: ReadonlyArray<string> = ['GET', 'HEAD']

/** Serves the images of a folder by name, never listed (D2). Portfolio images are in folders below it (H1). */
const serveFolder = async (app: FastifyInstance, folder: string, source: MediaSource): Promise<void> => {
  // Relative to the working directory, as for the adapter that writes the files.
  const root = resolve(folder)
  // `@fastify/send` would send the whole file to `fetch` of Node, which sends `Cache-Control: no-cache` with each condition (C14).
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    delete raw.headers['cache-control']
    done()
  })
  await app.register(fastifyStatic, {
    ...OPTIONS,
    root,
    prefix: MEDIA_PATH,
    allowedPath: (path) => isMediaName(path.slice(1)),
  })
  await serveRenditions(app, root, source)
  for (const kind of PORTFOLIO_IMAGE_KINDS)
    await app.register(fastifyStatic, {
      ...OPTIONS,
      root: join(root, 'portfolio', kind),
      prefix: `${PORTFOLIO_IMAGE_PATH}${kind}/`,
      allowedPath: (path) => isPortfolioImageName(path.slice(1)),
    })
}

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
  /** Makes renditions at their first request (D8); absent, only stored ones are served. */
  readonly render?: RenderImage
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

/** Renditions that are remembered as stored: a bucket is asked about each of them once. */
const MOST_KEPT = 10_000

/** Makes the question whether a rendition is stored, which asks the store once for each that is. One that is deleted later is then missing there. */
const makeIsKept = (files: ImageFiles) => {
  const kept = new Set<RenditionName>()
  return async (name: RenditionName): Promise<E.Either<Unavailable, boolean>> => {
    if (kept.has(name)) return E.right(true)
    const found = await files.look({ kind: 'rendition', name })()
    if (E.isLeft(found)) return found
    if (O.isNone(found.right)) return E.right(false)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.add(name)
    return E.right(true)
  }
}

/** Serves stored images by name, never listed (D2, H1). Names are checked before the store is asked. */
export const serveImages = async (app: FastifyInstance, source: MediaSource): Promise<void> => {
  const { files, folder, elsewhere, render } = source
  if (folder !== undefined) return void (await app.register((scope) => serveFolder(scope, folder, source)))
  const isKept = makeIsKept(files)
  app.route({
    method: ['HEAD', 'GET'],
    url: `${MEDIA_PATH}${RENDITION_FOLDER}*`,
    handler: async (request, reply) => {
      const name = nameIn(request)
      if (!isRenditionName(name)) return reply.callNotFound()
      const kept = await isKept(name)
      if (E.isLeft(kept)) return respondWithProblem(request, reply, busy(kept.left.cause))
      if (!kept.right && !(await wasMade(render, name, request, reply))) return reply
      const file = { kind: 'rendition', name } as const
      return elsewhere === undefined
        ? sendFile(files, file, request, reply)
        : redirect(elsewhere, file, request, reply)
    },
  })
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
