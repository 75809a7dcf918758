import type { IncomingHttpHeaders } from 'node:http'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Unavailable } from '@almoner/domain'
import {
  isMediaName,
  isPortfolioImageName,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
} from '@almoner/domain/media'
import {
  type BytePart,
  type ImageFacts,
  type ImageFile,
  type ImageFiles,
  imageFileOf,
  imageFileType,
  type OpenImage,
} from '@almoner/domain/ports'
import type { FastifyStaticOptions } from '@fastify/static'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import parseRange from 'range-parser'
import { busy } from './problems/problem.ts'
import { problemOfStatus, respondWithProblem, sendProblem } from './problems/send-problem.ts'
import { recordFault } from './request-context.ts'
import { isFresh, isNamed, type Version } from './responses/headers.ts'

/** The header fields that identify a version of a file, with its date to the second. */
type FileVersion = Required<Version>

/** Returns whether a file is newer than a date; undefined if the date is invalid. */
const isNewer = (version: FileVersion, date: string): boolean | undefined => {
  const since = Date.parse(date)
  return Number.isNaN(since) ? undefined : Date.parse(version['last-modified']) > since
}

/** Returns whether `If-Match` or `If-Unmodified-Since` fails (RFC 9110 §13). */
const isPreconditionFailed = (headers: IncomingHttpHeaders, version: FileVersion): boolean => {
  const { 'if-match': match, 'if-unmodified-since': since } = headers
  if (match && !isNamed(match, version.etag)) return true
  return since !== undefined && isNewer(version, since) === true
}

/** Returns whether a range is of the version that the client has parts of (RFC 9110 §13.1.5). */
const isRangeFresh = (condition: string | undefined, version: FileVersion): boolean => {
  if (condition === undefined) return true
  return condition.includes('"') ? condition.includes(version.etag) : isNewer(version, condition) === false
}

/**
 * Returns the part of a file that a request asks for (RFC 9110 §14.2): undefined for the whole file, which also answers other units,
 * several parts and parts of another version; `'none'` if the file has no such part.
 */
const partOf = (
  { range, 'if-range': condition }: IncomingHttpHeaders,
  size: number,
  version: FileVersion,
): BytePart | 'none' | undefined => {
  // Only Set-Cookie ever comes as a list.
  if (
    range === undefined ||
    !/^ *bytes=/.test(range) ||
    !isRangeFresh(condition as string | undefined, version)
  )
    return undefined
  const parts = parseRange(size, range, { combine: true })
  if (typeof parts === 'number') return 'none'
  const [only, ...more] = parts
  return only === undefined || more.length > 0 ? undefined : { first: only.start, last: only.end }
}

/** Lets pages of other origins show an image (D2). */
const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Seconds for which clients may cache an image, which never changes. */
const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60

/** An SVG is a document: opened by itself it may show what it draws, and run, load or open nothing (H1). */
const SVG_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The headers of an image by its name. */
const imageHeaders = (name: string): Readonly<Record<string, string>> =>
  name.endsWith('.svg') ? { ...CORP, 'Content-Security-Policy': SVG_SECURITY } : CORP

/** Header fields that make the response depend on the facts of the file. */
const CONDITIONS = [
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
] as const

const versionOf = ({ size, storedAt }: ImageFacts): FileVersion => ({
  etag: `W/"${size.toString(16)}-${storedAt.toString(16)}"`,
  'last-modified': new Date(storedAt).toUTCString(),
})

const commonHeaders = ({ name }: ImageFile, version: FileVersion) => ({
  ...imageHeaders(name),
  'accept-ranges': 'bytes',
  'cache-control': `public, max-age=${IMMUTABLE_SECONDS}, immutable`,
  ...version,
})

/** Notes the error of a store that fails in the middle, for the log. */
async function* noting(request: FastifyRequest, bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes
  } catch (cause) {
    recordFault(request, cause)
    throw cause
  }
}

const sendBytes = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: ImageFile,
  opened: OpenImage,
  part?: BytePart,
) => {
  const { first, last } = part ?? { first: 0, last: opened.size - 1 }
  reply
    .code(part === undefined ? 200 : 206)
    .headers(commonHeaders(file, versionOf(opened)))
    .header('content-length', last - first + 1)
    .type(imageFileType(file))
  if (part !== undefined) reply.header('content-range', `bytes ${first}-${last}/${opened.size}`)
  // Reads one piece ahead, not sixteen, the default for objects.
  return reply.send(Readable.from(noting(request, opened.bytes), { highWaterMark: 1 }))
}

/** Returns what a store found; else sends why there is nothing and returns undefined. */
const found = async <A>(
  request: FastifyRequest,
  reply: FastifyReply,
  task: TE.TaskEither<Unavailable, O.Option<A>>,
): Promise<A | undefined> => {
  const result = await task()
  if (E.isLeft(result)) respondWithProblem(request, reply, busy(result.left.cause))
  else if (O.isNone(result.right)) reply.callNotFound()
  else return result.right.value
  return undefined
}

/** No bytes, for HEAD. */
const nothing = async function* (): AsyncGenerator<Uint8Array, void> {}

/** Responds to a request that depends on the facts of the file: conditions, ranges, HEAD. */
const sendByFacts = async (
  files: ImageFiles,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const facts = await found(request, reply, files.look(file))
  if (facts === undefined) return reply
  const version = versionOf(facts)
  const headers = commonHeaders(file, version)
  if (isPreconditionFailed(request.headers, version)) return sendProblem(request, reply, problemOfStatus(412))
  if (isFresh(request.headers, version)) return reply.code(304).headers(headers).send()
  const part = partOf(request.headers, facts.size, version)
  if (part === 'none')
    return sendProblem(request, reply, {
      ...problemOfStatus(416),
      headers: { 'Content-Range': `bytes */${facts.size}` },
    })
  if (request.method === 'HEAD') return sendBytes(request, reply, file, { ...facts, bytes: nothing() }, part)
  const opened = await found(request, reply, files.open(file, part))
  return opened === undefined ? reply : sendBytes(request, reply, file, opened, part)
}

/**
 * Sends an image: 200, 206, 304, 412 or 416; 404 if there is none, 503 if the store does not respond. A plain GET asks the store once,
 * all others twice.
 */
const sendFile = async (
  files: ImageFiles,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (request.method === 'HEAD' || CONDITIONS.some((name) => request.headers[name] !== undefined))
    return sendByFacts(files, file, request, reply)
  const opened = await found(request, reply, files.open(file))
  return opened === undefined ? reply : sendBytes(request, reply, file, opened)
}

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
const serveFolder = async (app: FastifyInstance, folder: string): Promise<void> => {
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
  if (folder !== undefined) return void (await app.register((scope) => serveFolder(scope, folder)))
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
