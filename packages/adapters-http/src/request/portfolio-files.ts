import type { OpenedPortfolio, OpenPortfolio, UploadedFile } from '@almoner/domain/portfolio'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { BODY_LIMIT } from '../limits.ts'
import { busy, ProblemError } from '../problems/problem.ts'
import { problemOf } from '../problems/problem-of-failure.ts'
import { contextOf } from '../request-context.ts'
import type { BodyWatch } from './metered-body.ts'
import { PartTexts } from './multipart-body.ts'
import { MOST_TEXTS, type PartLimits, partsOf, problemOfParts } from './multipart-parts.ts'
import { unreadable } from './parameters.ts'
import { PartError, undoTransfer } from './part-decoding.ts'
import { limitUploads } from './upload-limit.ts'

/** Opens the files of a request, does work with them, and closes them. The work gets undefined if the request has no multipart body. */
export type WithFiles = <A>(
  request: FastifyRequest,
  work: (files: OpenedPortfolio | undefined) => Promise<A>,
) => Promise<A>

/** The reader of the files has lower limits, and says which. These keep a body from being read for ever. */
const LIMITS: PartLimits = { fileSize: 513 * 1024 * 1024, texts: MOST_TEXTS, parts: 10_020 }

/** What was read beside the files, and the error that ended the reading. */
interface Reading {
  readonly texts: PartTexts
  failure?: ProblemError
}

/** Reads a content to its end. */
const isEmpty = async (content: AsyncIterable<Uint8Array>): Promise<boolean> => {
  let bytes = 0
  for await (const { byteLength } of content) bytes += byteLength
  return bytes === 0
}

const filesOf = async function* (request: FastifyRequest, reading: Reading): AsyncGenerator<UploadedFile> {
  try {
    for await (const part of partsOf(request, LIMITS)) {
      if (!part.isFile) {
        await reading.texts.add(part, BODY_LIMIT)
        continue
      }
      const content = undoTransfer(part.sent, part.encoding)
      // A form without a chosen file sends an empty part with an empty file name (B10).
      if (part.fileName === '' && (await isEmpty(content))) continue
      yield { path: part.fileName ?? part.name, content }
      for await (const _ of content);
    }
  } catch (error) {
    reading.failure =
      error instanceof PartError ? unreadable(`A file ${error.message}.`) : problemOfParts(error)
    throw reading.failure
  }
}

const read = async (
  request: FastifyRequest,
  open: OpenPortfolio,
  signal: AbortSignal,
): Promise<OpenedPortfolio> => {
  const reading: Reading = { texts: new PartTexts() }
  const opened = await open(filesOf(request, reading), signal)()
  request.body = reading.texts.fields
  if (reading.texts.unreadable.size > 0) contextOf(request).unreadable = reading.texts.unreadable
  if (E.isRight(opened)) return opened.right
  // The rest of the body is skipped, so that the client receives the response.
  contextOf(request).multipart?.destroy()
  if (reading.failure !== undefined) throw reading.failure
  throw new ProblemError(
    opened.left._tag === 'UploadRefused' ? problemOf(opened.left) : busy(opened.left.cause),
  )
}

/** Makes a signal that aborts when the client is gone, and what takes it off the connection. */
const signalOf = ({ raw: { socket } }: FastifyRequest) => {
  const gone = new AbortController()
  const abort = () => gone.abort(unreadable('The client has left.'))
  if (socket.destroyed) abort()
  socket.once('close', abort)
  return { signal: gone.signal, release: () => socket.off('close', abort) }
}

/**
 * Makes the function that opens the files of requests. Four requests at a time send or have sent theirs, and sixteen more may wait; of the four
 * one is read at a time (H4). All work ends when the client goes away.
 */
export const makeWithFiles = (open: OpenPortfolio, watch: BodyWatch): WithFiles => {
  const acquire = limitUploads({ permits: 4, queue: 16 }, watch)
  return async (request, work) => {
    if (contextOf(request).multipart === undefined) return work(undefined)
    const client = signalOf(request)
    let release = () => {}
    try {
      release = await acquire(client.signal)
      const opened = await read(request, open, client.signal)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    } finally {
      client.release()
      release()
    }
  }
}
