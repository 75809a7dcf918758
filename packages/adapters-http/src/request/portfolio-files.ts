import type { OpenedPortfolio, OpenPortfolio, UploadedFile } from '@almoner/domain/portfolio'
import { fieldError } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { BODY_LIMIT } from '../limits.ts'
import { badRequest, busy, ProblemError } from '../problems/problem.ts'
import { contextOf } from '../request-context.ts'
import { addText, isTooLarge, partsOf, tooLarge } from './multipart-body.ts'
import { unreadable } from './parameters.ts'
import { limitUploads } from './upload-limit.ts'

/** Opens the files of a request, does work with them, and closes them. The work gets undefined if the request has no multipart body. */
export type WithFiles = <A>(
  request: FastifyRequest,
  work: (files: OpenedPortfolio | undefined) => Promise<A>,
) => Promise<A>

/** The reader of the files has lower limits, and says which. These keep a body from being read for ever. */
const LIMITS = {
  fileSize: 256 * 1024 * 1024,
  files: 10_000,
  fields: 10,
  fieldSize: BODY_LIMIT,
  parts: 10_010,
  headerPairs: 50,
  headerSize: 81_920,
}

/** The name of a file is its path. */
const OPTIONS = { limits: LIMITS, throwFileSizeLimit: false, preservePath: true }

/** What was read beside the files, and the error that ended the reading. */
interface Reading {
  readonly fields: Record<string, unknown>
  text: number
  failure?: ProblemError
}

const failureOf = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error
  return isTooLarge(error) ? tooLarge() : unreadable('The multipart body cannot be read.')
}

const filesOf = async function* (request: FastifyRequest, reading: Reading): AsyncGenerator<UploadedFile> {
  try {
    for await (const part of partsOf(request, OPTIONS)) {
      if (part.type !== 'file') {
        addText(reading, part)
        continue
      }
      yield { path: part.filename, content: part.file }
      if (!part.file.readableEnded) for await (const _ of part.file);
    }
  } catch (error) {
    reading.failure = failureOf(error)
    throw reading.failure
  }
}

const read = async (request: FastifyRequest, open: OpenPortfolio): Promise<OpenedPortfolio> => {
  const reading: Reading = { fields: {}, text: 0 }
  const opened = await open(filesOf(request, reading))()
  request.body = reading.fields
  if (E.isRight(opened)) return opened.right
  // The rest of the body is skipped, so that the client receives the response.
  request.raw.unpipe().resume()
  if (reading.failure !== undefined) throw reading.failure
  if (opened.left._tag !== 'UploadRefused') throw new ProblemError(busy(opened.left.cause))
  throw new ProblemError(
    badRequest('The upload cannot be taken.', [fieldError('files', opened.left.message)]),
  )
}

/** Makes the function that opens the files of requests: of two requests at a time, while four more may wait. */
export const makeWithFiles = (open: OpenPortfolio): WithFiles => {
  const acquire = limitUploads(2, 4)
  return async (request, work) => {
    if (contextOf(request).isMultipart !== true) return work(undefined)
    const release = await acquire()
    try {
      const opened = await read(request, open)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    } finally {
      release()
    }
  }
}
