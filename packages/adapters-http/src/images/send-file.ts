import { Readable } from 'node:stream'
import {
  type BytePart,
  type ImageFacts,
  type ImageFile,
  type ImageFiles,
  imageFileType,
  type OpenImage,
  type Unavailable,
} from '@almoner/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { busy, UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { stateOf } from '../request-context.ts'
import { isRangeFresh, judge, type Version } from './conditions.ts'
import { FOREVER, imageHeaders } from './headers.ts'
import { wantedOf } from './ranges.ts'

/** Headers that make the answer depend on what is known of the file. */
const CONDITIONS = [
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
] as const

const versionOf = ({ size, storedAt }: ImageFacts): Version => ({
  etag: `W/"${size.toString(16)}-${storedAt.toString(16)}"`,
  lastModified: new Date(storedAt).toUTCString(),
})

const commonHeaders = ({ name }: ImageFile, { etag, lastModified }: Version) => ({
  ...imageHeaders(name),
  'Accept-Ranges': 'bytes',
  'Cache-Control': `public, max-age=${FOREVER}, immutable`,
  'Last-Modified': lastModified,
  ETag: etag,
})

/** An error with a status, as the server of folders throws it: it is answered as a problem in the same place. */
const refused = (statusCode: 412 | 416, headers: Readonly<Record<string, string>> = {}): Error =>
  Object.assign(new Error('refused'), { statusCode, headers })

/** A store that fails in the middle ends the answer, and the log tells why. */
async function* noting(request: FastifyRequest, bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes
  } catch (cause) {
    stateOf(request).cause = cause
    throw cause
  }
}

const answerWith = (
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
    .header('Content-Length', last - first + 1)
    .type(imageFileType(file))
  if (part !== undefined) reply.header('Content-Range', `bytes ${first}-${last}/${opened.size}`)
  // One piece is read ahead, not the sixteen that are usual for objects.
  return reply.send(Readable.from(noting(request, opened.bytes), { highWaterMark: 1 }))
}

/** What there is, or an answer that says why there is nothing. */
const found = async <A>(
  request: FastifyRequest,
  reply: FastifyReply,
  task: TE.TaskEither<Unavailable, O.Option<A>>,
): Promise<A | undefined> => {
  const result = await task()
  if (E.isLeft(result)) sendProblem(request, reply, busy(result.left.cause))
  else if (O.isNone(result.right)) sendProblem(request, reply, UNKNOWN_PATH)
  else return result.right.value
  return undefined
}

/** Bytes of nothing, for HEAD. */
const nothing = async function* (): AsyncGenerator<Uint8Array, void> {}

const partWanted = ({ headers }: FastifyRequest, { size }: ImageFacts, version: Version) => {
  // Only Set-Cookie ever comes as a list.
  const condition = headers['if-range'] as string | undefined
  const wanted = isRangeFresh(condition, version) ? wantedOf(headers.range, size) : 'all'
  if (wanted === 'none') throw refused(416, { 'Content-Range': `bytes */${size}` })
  return wanted === 'all' ? undefined : wanted
}

/** Answers a request that asks for something about the file before its bytes: conditions, ranges, HEAD. */
const answerByFacts = async (
  files: ImageFiles,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const facts = await found(request, reply, files.look(file))
  if (facts === undefined) return reply
  const version = versionOf(facts)
  const verdict = judge(request.headers, version)
  if (verdict === 'failed') throw refused(412)
  if (verdict === 'not modified') return reply.code(304).headers(commonHeaders(file, version)).send()
  const part = partWanted(request, facts, version)
  if (request.method === 'HEAD') return answerWith(request, reply, file, { ...facts, bytes: nothing() }, part)
  const opened = await found(request, reply, files.open(file, part))
  return opened === undefined ? reply : answerWith(request, reply, file, opened, part)
}

/**
 * Answers with an image, header for header as the server of folders does: 200, 206, 304, 412 and 416; 404 when there is none, 503 when
 * the store does not answer. A plain GET asks the store once, all else twice.
 */
export const answerWithFile = async (
  files: ImageFiles,
  file: ImageFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (request.method === 'HEAD' || CONDITIONS.some((name) => request.headers[name] !== undefined))
    return answerByFacts(files, file, request, reply)
  const opened = await found(request, reply, files.open(file))
  return opened === undefined ? reply : answerWith(request, reply, file, opened)
}
