import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Unavailable } from '@almoner/domain'
import {
  type BytePart,
  type ImageFacts,
  type ImageFile,
  type ImageFiles,
  imageFileType,
  type OpenImage,
} from '@almoner/domain/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import parseRange from 'range-parser'
import { busy } from '../problems/problem.ts'
import { problemOfStatus, respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { recordFault } from '../request-context.ts'
import { isFresh, isNamed, type Version } from './headers.ts'

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
export const CORP = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Seconds for which clients may cache an image, which never changes. */
export const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60

/** An SVG is a document: opened by itself it may show what it draws, and run, load or open nothing (H1). */
const SVG_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The headers of an image by its name. */
export const imageHeaders = (name: string): Readonly<Record<string, string>> =>
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
export const sendFile = async (
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
